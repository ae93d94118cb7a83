import HotSignals

/// A property's place in the graph, independent of the type of its value.
///
/// # Three kinds
/// - A *root* is set. It has no inputs.
/// - A *pulled* node is derived from its inputs alone. While nothing derived from it is observed, it is not linked to
///   anything: its value is computed when it is read, and cached until a root changes.
/// - A *kept* node has a memory: its value depends on all changes of its inputs. It is linked as long as it is
///   referenced.
///
/// A linked node is among the dependents of its inputs, which are linked as well. A ``Propagation`` computes it.
///
/// # Lifetime
/// A node retains its inputs, and an input retains the nodes that are linked to it. Unlinking breaks that cycle. A
/// pulled node is unlinked when it is not observed and has no dependents. A kept node is unlinked when its ``Tether``
/// is released, which everything that refers to the node retains.
@usableFromInline
@_fixed_layout
package class PropertyNode: @unchecked Sendable {
    // Sendable: the fields are constant, or their comments say what guards them.

    /// When a node that is not a root ends.
    @frozen @usableFromInline
    package enum Ending: Sendable {
        /// When the last of its inputs ends.
        case withAll
        /// When the input at this index ends.
        case with(Int)
        /// When `compute` says so, which is also called when an input ends. Such a node has ended from the start if one
        /// of its inputs had ended.
        case computed
    }

    /// Guarded by the lock of the node's domain. Linking and unlinking also require the locks of the inputs' domains.
    @frozen @usableFromInline
    struct Links {
        /// Whether propagations compute the node. True for a node that has ended. Not used for a root: see
        /// ``PropertyNode/isLinked``.
        @usableFromInline var isLinked = false
        @usableFromInline var hasEnded = false
        /// Whether the node had ended before it was linked. Then no propagation sends its end.
        @usableFromInline var wasFoundEnded = false
        /// The newcomers that this node is or was part of; `nil` if there are none.
        @usableFromInline var newcomerTo: [Newcomers]?
        /// Whether the node's event is delivered before the events of lower nodes.
        @usableFromInline var isDeliveredFirst = false
        @usableFromInline var dependents = Dependents()
        /// The number of reasons to link the node, besides its dependents: its observers, or its tether.
        @usableFromInline var wishes = 0

        @_alwaysEmitIntoClient
        init() {}
    }

    /// The state of the propagation that owns the gate of the node's domain.
    @frozen @usableFromInline
    struct Staged {
        /// Whether the node is in the queue of nodes to compute.
        @usableFromInline var isQueued = false
        /// Whether the node has a next value.
        @usableFromInline var hasNext = false
        /// Whether the node ends with this propagation.
        @usableFromInline var isEnding = false
        /// The next node in the queue.
        @usableFromInline var successor: Unmanaged<PropertyNode>?

        @_alwaysEmitIntoClient
        init() {}
    }

    @usableFromInline package final let domain: Domain
    /// The length of the longest path from a root to this node. A propagation computes lower nodes first.
    @usableFromInline final let height: Int
    /// The first input.
    @usableFromInline final let input: PropertyNode?
    // Not empty arrays if there are no others: to retain and release `nil` costs less.
    /// All inputs, if there are several.
    final let severalInputs: [PropertyNode]?
    /// The roots that the node is derived from; `nil` for a root. The inputs retain them.
    @usableFromInline final let source: Unmanaged<PropertyNode>?
    @usableFromInline final let secondSource: Unmanaged<PropertyNode>?
    /// The others, unless ``hasManySources``.
    final let moreSources: [Unmanaged<PropertyNode>]?
    /// Whether there are so many, in so many steps, that the node does not list them here: see ``otherSources``.
    @usableFromInline final let hasManySources: Bool
    /// The length of ``moreSources`` here and in the nodes below that have several inputs, each as often as it is an
    /// input.
    final let listed: UInt32
    /// A retained reference to a ``SourceList``, or 0 until that is first needed.
    final let sourceList = AtomicWord(0)
    final let ending: Ending
    /// Whether the node has a memory.
    @usableFromInline final let isKept: Bool
    /// `.enqueue` if one of its roots is.
    @usableFromInline final let contention: Contention
    final let name: NodeName
    /// The tethers of its kept inputs, which keep those linked.
    private final let tethers: [Tether]?

    @usableFromInline final let behavior: Behavior

    @exclusivity(unchecked) @usableFromInline final var links = Links()
    /// Guarded by the lock of the first input's domain. The index of this node among that input's dependents, or -1.
    @exclusivity(unchecked) final var firstPlace = -1
    /// The same for the other inputs.
    @exclusivity(unchecked) final var secondPlace = -1
    final let morePlaces: UnsafeMutablePointer<Int>?
    @exclusivity(unchecked) @usableFromInline final var staged = Staged()
    /// Guarded by the lock. The versions of the roots that the value was computed from, while the node is not linked;
    /// the maximum if these are not known.
    @exclusivity(unchecked) @usableFromInline final var seen: UInt = .max
    /// Guarded by the lock. ``changesOfInputs`` when the value was computed, while the node is not linked.
    @exclusivity(unchecked) @usableFromInline final var seenChanges: UInt = .max
    /// The number of dependents, for a propagation that checks it without the lock.
    @usableFromInline final let dependentCount = AtomicWord(0)
    /// Changes whenever the visible value of a root does, or the value of another node. Written under the lock. Without
    /// it, only that of a root is read. The lowest bit is set while a body of a root runs. The bits above it are clear,
    /// so that the sum of many versions still tells them apart.
    @usableFromInline final let version = AtomicWord(0)
    @usableFromInline static let bodyBit: UInt = 1
    @usableFromInline static let versionStep: UInt = 1 << 16

    /// For a root, guarded by the lock. The root that this one follows, together with all roots that are linked to it
    /// both ways.
    @exclusivity(unchecked) @usableFromInline final var leader: PropertyNode?
    /// The roots that this one is linked to directly. Also guarded by the gate of the leader, if there is one.
    @exclusivity(unchecked) final var linkedRoots: [PropertyNode] = []

    /// Guarded by the lock. Created when the signal is first needed.
    @exclusivity(unchecked) @usableFromInline final var signalCore: SignalCore?
    /// Whether releasing a value has no effect. Set while the node is made.
    @exclusivity(unchecked) @usableFromInline final var isTrivial = true
    /// Only for the owner of the signal's gate. The next node whose event is to be delivered.
    @exclusivity(unchecked) final var nextToDeliver: Unmanaged<PropertyNode>?
    /// Only for a kept node that remembers more than its value. Set while the node is made.
    @exclusivity(unchecked) @usableFromInline final var memory: NodeMemory?
    /// Only for a kept node. Nodes derived from it retain the tether.
    @exclusivity(unchecked) @usableFromInline final var tether: Unmanaged<Tether>?

    /// Creates a root.
    ///
    /// - Parameter height: Negative for a root that other roots follow.
    @usableFromInline
    init(
        root name: StreamName, contention: Contention, height: Int, _ behavior: consuming Behavior
    ) {
        domain = Domain(height: height)
        self.height = height
        (input, severalInputs, source, secondSource, moreSources) = (nil, nil, nil, nil, nil)
        (hasManySources, listed) = (false, 0)
        (ending, isKept, self.contention, self.name, tethers) = (.withAll, false, contention, .root(name), nil)
        self.behavior = consume behavior
        morePlaces = nil
        let address = GraphHook.address(of: self)
        if GraphHook.isOn.isOn { GraphHook.appeared(at: address) }
    }

    deinit {
        if GraphHook.isOn.hasBeenOn { GraphHook.left(self) }
        morePlaces?.deallocate()
        if hasManySources, let list = UnsafeRawPointer(bitPattern: sourceList.loadLast()) {
            Unmanaged<SourceList>.fromOpaque(list).release()
        }
        links.dependents.deallocate()
    }

    /// Creates a node with one input. Cheaper than the initializer for several inputs.
    @usableFromInline
    init(
        _ name: NodeName, from input: PropertyNode, ending: Ending, isKept: Bool,
        _ behavior: consuming Behavior
    ) {
        domain = input.domain
        height = input.height + 1
        source = input.source ?? .passUnretained(input)
        (secondSource, moreSources) = (input.secondSource, input.moreSources)
        (hasManySources, listed) = (input.hasManySources, input.listed)
        (self.ending, self.isKept, contention, self.name) = (ending, isKept, input.contention, name)
        tethers = input.tether.map { [$0.takeUnretainedValue()] }
        severalInputs = nil
        morePlaces = nil
        // Otherwise they are retained here, and released at the end.
        self.input = consume input
        self.behavior = consume behavior
        let address = GraphHook.address(of: self)
        if GraphHook.isOn.isOn { GraphHook.appeared(at: address) }
    }

    /// Creates a node with one or more inputs.
    @usableFromInline
    init(
        _ name: NodeName, from inputs: [PropertyNode], ending: Ending, isKept: Bool,
        _ behavior: consuming Behavior
    ) {
        let first = inputs[0]
        var height = first.height
        var isOfOneDomain = true
        var contention = Contention.wait
        var tethers: [Tether] = []
        var sources = Sources(isLarge: inputs.count > 16)
        for input in inputs {
            height = max(height, input.height)
            if input.domain !== first.domain { isOfOneDomain = false }
            if input.contention == .enqueue { contention = .enqueue }
            if let tether = input.tether { tethers.append(tether.takeUnretainedValue()) }
            sources.add(input)
        }
        sources.decide()
        self.height = height + 1
        domain = isOfOneDomain ? first.domain : Domain(height: height + 1)
        (input, severalInputs) = (first, inputs.count > 1 ? inputs : nil)
        (source, secondSource) = (sources.first, sources.second)
        (hasManySources, listed) = (sources.areMany, sources.listed)
        moreSources = sources.areMany ? nil : sources.others
        (self.ending, self.isKept, self.name, self.contention) = (ending, isKept, name, contention)
        self.tethers = tethers.isEmpty ? nil : tethers
        let places = inputs.count - 2
        morePlaces = places > 0 ? .allocate(capacity: places) : nil
        if places > 0 { morePlaces?.initialize(repeating: -1, count: places) }
        self.behavior = consume behavior
        let address = GraphHook.address(of: self)
        if GraphHook.isOn.isOn { GraphHook.appeared(at: address) }
    }

    /// Whether the node is a `RootNode`.
    @_alwaysEmitIntoClient @inline(__always)
    final var isRoot: Bool { source == nil }

    /// Calls `body` for each input without creating an array.
    @inline(__always)
    final func forEachInput(_ body: (_ number: Int, PropertyNode) -> Void) {
        // Not retained: this node does that.
        guard let severalInputs else {
            if let input { Unmanaged.passUnretained(input)._withUnsafeGuaranteedRef { body(0, $0) } }
            return
        }
        for number in severalInputs.indices {
            Unmanaged.passUnretained(severalInputs[number])._withUnsafeGuaranteedRef { body(number, $0) }
        }
    }

    /// Whether an input satisfies a condition. Does not create an array.
    @inline(__always)
    final func containsInput(where isWanted: (PropertyNode) -> Bool) -> Bool {
        var isFound = false
        forEachInput { if !isFound { isFound = isWanted($1) } }
        return isFound
    }

    /// Returns the index, from `start` on, of the first input that satisfies a condition.
    final func firstInput(from start: Int, where isWanted: (PropertyNode) -> Bool) -> Int? {
        (start..<inputCount).first { isWanted(input($0)) }
    }

    /// The number of inputs. Only for a node that is not a root.
    final var inputCount: Int { severalInputs?.count ?? 1 }

    /// The input at an index. Only for a node that is not a root.
    final func input(_ number: Int) -> PropertyNode {
        number == 0 ? input.unsafelyUnwrapped : severalInputs.unsafelyUnwrapped[number]
    }

    final var inputs: [PropertyNode] { severalInputs ?? input.map { [$0] } ?? [] }

    /// Whether propagations compute the node, or set it if it is a root.
    final func isLinked(_ held: borrowing HeldLock) -> Bool { links.isLinked || isRoot }

    /// Traps in the body of a `modify` or `withValue` of the property. Only for a root.
    @usableFromInline
    func refuseAccess() {}

    /// The same at little cost if no body runs.
    @_alwaysEmitIntoClient @inline(__always)
    package final func refuseAccessInBody() { if version.loadRelaxed() & Self.bodyBit != 0 { refuseAccess() } }

    /// The same for a body of a property that this one is derived from.
    @usableFromInline
    final func refuseReading() {
        if isRoot { return refuseAccess() }
        if isBesideBody { for source in sources { source.takeUnretainedValue().refuseAccess() } }
    }

    /// For a root. Requires the lock.
    @_alwaysEmitIntoClient @inline(__always)
    final func noteBody(_ isRunning: Bool) {
        version.store(version.loadRelaxed() & ~Self.bodyBit | (isRunning ? Self.bodyBit : 0))
    }

    /// For a root that others follow, which have the same value. Requires the gate.
    final func noteBodyInFollowers(_ isRunning: Bool) {
        for follower in links.dependents {
            follower.node._withUnsafeGuaranteedRef { node in node.domain.withLock { node.noteBody(isRunning) } }
        }
    }

    /// Whether a body of one of the node's roots runs. Not for a root.
    @_alwaysEmitIntoClient @inline(__always)
    final var isBesideBody: Bool {
        let isFirst = source.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.version.load() & Self.bodyBit != 0 }
        return isFirst || secondSource != nil && isBesideOtherBody
    }

    @usableFromInline @inline(never)
    final var isBesideOtherBody: Bool {
        // It matters only to a thread in a body. Others need not list the roots.
        if hasManySources, !domain.sections.mayContain(ThreadIdentity.current) { return false }
        let others = hasManySources ? otherSources.roots : moreSources
        return secondSource?._withUnsafeGuaranteedRef { $0.version.load() & Self.bodyBit != 0 } == true
            || others?.contains { $0._withUnsafeGuaranteedRef { $0.version.load() & Self.bodyBit != 0 } } == true
    }

    // MARK: Versions

    /// Changes whenever one of the node's roots does. Not for a root.
    @_alwaysEmitIntoClient @inline(__always)
    final var versions: UInt { versionsAndBodies & ~(Self.versionStep - 1) }

    /// The same, except while a body of one of the roots runs.
    @_alwaysEmitIntoClient @inline(__always)
    final var versionsAndBodies: UInt {
        let first = source.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.version.load() }
        return secondSource == nil ? first : first &+ moreVersions
    }

    @usableFromInline @inline(never)
    final var moreVersions: UInt {
        var sum = secondSource?._withUnsafeGuaranteedRef { $0.version.load() } ?? 0
        if hasManySources { addVersions(to: &sum) }
        guard let moreSources else { return sum }
        for root in moreSources { sum &+= root._withUnsafeGuaranteedRef { $0.version.load() } }
        return sum
    }

    // Apart from the code for few, which does not retain a list.
    @inline(never)
    private final func addVersions(to sum: inout UInt) {
        for root in otherSources.roots { sum &+= root._withUnsafeGuaranteedRef { $0.version.load() } }
    }

    /// Whether all inputs are roots. Each of them counts once.
    @_alwaysEmitIntoClient @inline(__always)
    final var hasRootsAsInputs: Bool { height == 1 }

    /// Changes whenever an input does. If a root has changed and this has not, the value need not be computed.
    @usableFromInline
    final var changesOfInputs: UInt {
        if hasRootsAsInputs { return versions }
        var sum: UInt = 0
        forEachInput { _, input in
            sum &+= input.isRoot ? input.version.load() : input.domain.withLock { input.version.load() }
        }
        return sum & ~(Self.versionStep - 1)
    }

    /// The same under the locks of the inputs.
    final func changesOfInputs(_ held: borrowing HeldLock) -> UInt {
        if hasRootsAsInputs { return versions }
        var sum: UInt = 0
        forEachInput { _, input in sum &+= input.version.load() }
        return sum & ~(Self.versionStep - 1)
    }

    /// The version without what it says of bodies.
    @_alwaysEmitIntoClient
    final var changes: UInt { version.load() & ~(Self.versionStep - 1) }

    /// Call it when the value changes.
    @_alwaysEmitIntoClient @inline(__always)
    final func countChange(_ held: borrowing HeldLock) { version.store(version.loadRelaxed() &+ Self.versionStep) }

    // MARK: Computing for readers

    /// Brings the values of the inputs up to date, from the roots up and without recursion, because chains can be long.
    /// Stops when a root changes.
    ///
    /// - Parameter before: The ``versions`` of the caller.
    @usableFromInline
    final func computeInputs(while before: UInt) {
        guard let first = staleInput(from: 0, without: nil) else { return }
        var visited: Set<ObjectIdentifier> = [ObjectIdentifier(input(first))]
        var path = [(node: self, next: first + 1), (node: input(first), next: 0)]
        while let (node, next) = path.last, versions == before {
            if let stale = node.staleInput(from: next, without: visited) {
                path[path.count - 1].next = stale + 1
                visited.insert(ObjectIdentifier(node.input(stale)))
                path.append((node: node.input(stale), next: 0))
            } else {
                path.removeLast()
                if !path.isEmpty { _ = node.behavior.perform(node, .compute) }
            }
        }
    }

    private final func staleInput(from start: Int, without visited: Set<ObjectIdentifier>?) -> Int? {
        firstInput(from: start) { !$0.isCurrent && visited?.contains(ObjectIdentifier($0)) != true }
    }

    @usableFromInline
    final var areInputsCurrent: Bool { !containsInput { !$0.isCurrent } }

    final var isCurrent: Bool {
        isRoot || domain.withLock { links.isLinked || seen == versions }
    }

    /// The value that readers see; `nil` while it is changed in place.
    func visibleValue(_ held: borrowing HeldLock) -> (any Sendable)? { nil }

    /// The root whose value this root has: its leader, or itself.
    final var decider: PropertyNode { domain.withLock { leader } ?? self }

    /// For a root. Makes a leader with the same value. Requires the gate.
    func makeLeader() -> PropertyNode { preconditionFailure("PropertyNode is abstract") }

    /// For a root. Sets the value to that of another root of the same type. Requires the gates of both, and keeps them.
    /// Returns a closure that sends the events, to call when nothing is owned.
    func setToValue(of other: PropertyNode, _ thread: UInt) -> () -> Void {
        preconditionFailure("PropertyNode is abstract")
    }

    /// For a root. Begins a body that changes several roots.
    func beginTransaction(_ thread: UInt) {}

    /// For a root. Ends such a body, without a change.
    @usableFromInline
    func cancelTransaction() {}

    /// Whether a body changes the value in place.
    @usableFromInline
    func isChangedInPlace(_ held: borrowing HeldLock) -> Bool { false }

    /// Waits while a body changes the value in place.
    @usableFromInline
    func awaitBody() {}

    /// Discards what a propagation has staged here. Only in the section in which it computes.
    func discardNext() {
        staged = Staged()
        guard let memory, memory.isStaged else { return }
        memory.isStaged = false
        memory.discard()
    }

    // MARK: Linking

    /// Computes the value, and links the node unless something has changed in the meantime. The inputs must have been
    /// linked before.
    final func tryToLink() -> Bool { behavior.perform(self, .link) }

    /// Called when the conditions for setting a root may have changed.
    @usableFromInline
    func dependentsHaveChanged(_ held: borrowing HeldLock) {}

    /// The core of the signal. Created if there is none.
    @usableFromInline
    final func namedCore() -> SignalCore {
        if let core = domain.withLock({ signalCore }) { return core }
        _ = behavior.perform(self, .makeCore)
        // Needs no lock: this thread has seen it, and it stays.
        return signalCore.unsafelyUnwrapped
    }

    // MARK: In a propagation

    /// Only during a propagation. Whether the node ends in this propagation because its inputs do.
    final func endsNow() -> Bool {
        if isRoot { return staged.isEnding }
        return endsWhen { $0.links.hasEnded || $0.isStaged(for: self) && $0.staged.isEnding }
    }

    /// Only during a propagation of `node`. Whether what is staged here belongs to that propagation.
    @_alwaysEmitIntoClient @inline(__always)
    final func isStaged(for node: PropertyNode) -> Bool {
        if domain === node.domain { return true }
        // It may also belong to another propagation of this thread, in the middle of which this one began.
        return domain.gate.hasOwner(of: node.domain.gate)
            && domain.propagation?.toOpaque() == node.domain.propagation?.toOpaque()
    }

    final func endsWhen(_ hasEnded: (PropertyNode) -> Bool) -> Bool {
        switch ending {
        case .withAll: !containsInput { !hasEnded($0) }
        case .with(let place): hasEnded(input(place))
        case .computed: false
        }
    }

    @usableFromInline
    final var isEndingComputed: Bool {
        if case .computed = ending { true } else { false }
    }
}
