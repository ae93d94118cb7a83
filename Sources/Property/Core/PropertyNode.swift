import HotSignals

/// A property's place in the graph, whatever its type.
///
/// # Three kinds
/// - A *root* is set. It has the inputs of nobody.
/// - A *pulled* node follows from its inputs alone. While nobody observes what follows from it, it is linked to nothing: its value is
///   computed when it is read, and kept until a root changes.
/// - A *kept* node has a memory: its value follows from all changes of its inputs. It is linked while it is referenced.
///
/// A node that is linked is among the dependents of its inputs, which are linked as well. A ``Turn`` computes it.
///
/// # Who keeps whom alive
/// A node holds its inputs, and an input holds what is linked to it. What breaks that cycle: a pulled node is unlinked when it is neither
/// observed nor has dependents, and a kept one when its ``Tether`` goes, which everything holds that refers to it.
@usableFromInline
@_fixed_layout
package class PropertyNode: @unchecked Sendable {
    // Sendable: constants, and what `links` and `staged` say of themselves.

    /// When a node ends that is not a root.
    @frozen @usableFromInline
    package enum Ending: Sendable {
        /// With the last of its inputs.
        case withAll
        /// With the input at this place.
        case with(Int)
        /// When `compute` says so, which is called when an input ends, too. It has ended from the beginning if one of the inputs had.
        case computed
    }

    /// One of the nodes that are linked to this one.
    @frozen @usableFromInline
    struct Dependent {
        /// Held by this reference.
        @usableFromInline let node: Unmanaged<PropertyNode>
        /// This one's place among its inputs.
        @usableFromInline let input: Int
    }

    /// What the lock of the node's domain guards. To link and unlink takes the locks of the inputs' domains as well.
    @frozen @usableFromInline
    struct Links {
        /// Whether turns compute it. A root always is, and a node that has ended.
        @usableFromInline var isLinked = false
        @usableFromInline var hasEnded = false
        /// Whether it had ended before it was linked, so that no turn sends its end.
        @usableFromInline var wasFoundEnded = false
        /// Whether there are any of these.
        @usableFromInline var isPending = false
        /// The newcomers that it is, or was, one of.
        @usableFromInline var newcomerTo: [Newcomers] = []
        /// Whether its event goes before those of lower nodes.
        @usableFromInline var isHerald = false
        @usableFromInline var dependents: [Dependent] = []
        /// How many reasons there are to link it, beside its dependents: its observers, or its tether.
        @usableFromInline var wishes = 0

        @inlinable
        init() {}
    }

    /// What belongs to the turn that owns the gate of the node's domain.
    @frozen @usableFromInline
    struct Staged {
        /// In the queue of those to compute.
        @usableFromInline var isQueued = false
        /// Has a next value.
        @usableFromInline var hasNext = false
        /// Ends with this turn.
        @usableFromInline var isEnding = false
        /// The next one in the queue.
        @usableFromInline var successor: Unmanaged<PropertyNode>?

        @inlinable
        init() {}
    }

    @usableFromInline package final let domain: Domain
    /// The longest way from here to a root: a turn computes the lower ones first.
    @usableFromInline final let height: Int
    @usableFromInline final let input: PropertyNode?
    @usableFromInline final let moreInputs: [PropertyNode]
    /// The roots that it follows from; itself, for a root. The inputs hold them.
    @usableFromInline final let source: Unmanaged<PropertyNode>?
    @usableFromInline final let moreSources: [Unmanaged<PropertyNode>]
    @usableFromInline final let hasMoreSources: Bool
    final let ending: Ending
    /// Whether it has a memory.
    @usableFromInline final let isKept: Bool
    /// Whether one of its roots is `.enqueue`.
    @usableFromInline final let contention: Contention
    private final let name: NodeName
    /// What keeps its inputs that are kept alive.
    private final let tethers: [Tether]

    // What depends on the type of the value. These closures are made where the type is known: a method of a generic class would
    // run unspecialised.

    /// Computes the value: in a turn (without a pull) the next one, otherwise into what the pull says. Returns false if it stays as it is.
    @usableFromInline final let compute: @Sendable (PropertyNode, UnsafePointer<Pull>?) -> Bool
    /// Makes the next value the value, and lines up its event. Lock of all domains of the turn.
    @usableFromInline final let publish: @Sendable (PropertyNode, _ thread: UInt) -> Publication
    /// Sends the event, lets go of the former value, and leaves the gate of the signal.
    @usableFromInline final let deliver: @Sendable (PropertyNode, _ thread: UInt) -> Void

    @exclusivity(unchecked) @usableFromInline final var links = Links()
    /// Lock of the first input's domain. The place among its dependents; -1 without one.
    @exclusivity(unchecked) final var firstPlace = -1
    /// The same for the other inputs.
    final let morePlaces: UnsafeMutablePointer<Int>
    @exclusivity(unchecked) @usableFromInline final var staged = Staged()
    /// Lock. The versions of the roots that the value was computed from, while the node is not linked.
    @exclusivity(unchecked) @usableFromInline final var seen: UInt = .max
    /// Lock. How often the value has changed. Not for a root, whose version says so.
    @exclusivity(unchecked) @usableFromInline final var changes: UInt = 0
    /// Lock. ``changesOfInputs`` when the value was computed, while the node is not linked.
    @exclusivity(unchecked) @usableFromInline final var seenChanges: UInt = .max
    /// How many dependents there are, for a turn that looks without the lock.
    @usableFromInline final let dependentCount = AtomicWord(0)
    /// Of a root: changes with every change of what is visible. Written under the lock. The lowest bit is set while a value is visible
    /// that no turn has published.
    @usableFromInline final let version = AtomicWord(0)
    @usableFromInline static let aheadBit: UInt = 1
    @usableFromInline static let versionStep: UInt = 2

    /// Lock. Made when somebody asks for the signal; a root has it from the beginning.
    @exclusivity(unchecked) @usableFromInline final var signalCore: SignalCore?
    /// Whether to let go of a value does nothing. Set while the node is made.
    @exclusivity(unchecked) @usableFromInline final var isTrivial = true
    /// Owner of the signal's gate. The next one whose event is to be delivered.
    @exclusivity(unchecked) final var nextToDeliver: Unmanaged<PropertyNode>?
    /// Of a kept node, if it remembers more than its value. Set while the node is made.
    @exclusivity(unchecked) @usableFromInline final var memory: NodeMemory?
    /// Of a kept node. Whoever derives from it holds the tether.
    @exclusivity(unchecked) @usableFromInline final var tether: Unmanaged<Tether>?

    @usableFromInline typealias Compute = @Sendable (PropertyNode, UnsafePointer<Pull>?) -> Bool
    @usableFromInline typealias Publish = @Sendable (PropertyNode, _ thread: UInt) -> Publication
    @usableFromInline typealias Deliver = @Sendable (PropertyNode, _ thread: UInt) -> Void

    /// What came of publishing.
    @frozen @usableFromInline
    enum Publication: Sendable {
        /// The caller owns the gate of the signal, and is to have the event delivered.
        case entered
        /// The event is in the inbox of the gate.
        case added
        /// Nobody is to be told.
        case silent
    }

    /// A root.
    ///
    /// - Parameter height: Less than 0 for one that other roots follow.
    @usableFromInline
    init(
        root core: SignalCore, height: Int, compute: @escaping Compute, publish: @escaping Publish,
        deliver: @escaping Deliver
    ) {
        domain = Domain(height: height)
        self.height = height
        (input, moreInputs, source, moreSources, hasMoreSources) = (nil, [], nil, [], false)
        (ending, isKept, contention, name, tethers) = (.withAll, false, core.gateContention, .alone(""), [])
        (self.compute, self.publish, self.deliver) = (compute, publish, deliver)
        morePlaces = Self.places(0)
        signalCore = core
        links.isLinked = true
    }

    private static func places(_ count: Int) -> UnsafeMutablePointer<Int> {
        // One for all that need none.
        if count == 0 { return noPlaces }
        let places = UnsafeMutablePointer<Int>.allocate(capacity: count)
        places.initialize(repeating: -1, count: count)
        return places
    }

    private nonisolated(unsafe) static let noPlaces = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    deinit { if !moreInputs.isEmpty { morePlaces.deallocate() } }

    /// A node with one input, which is the cheaper one to make.
    @usableFromInline
    init(
        _ name: NodeName, from input: PropertyNode, ending: Ending, isKept: Bool, compute: @escaping Compute,
        publish: @escaping Publish, deliver: @escaping Deliver
    ) {
        (domain, height) = (input.domain, input.height + 1)
        (self.input, moreInputs) = (input, [])
        (source, moreSources) = (input.source ?? .passUnretained(input), input.moreSources)
        hasMoreSources = input.hasMoreSources
        (self.ending, self.isKept, contention, self.name) = (ending, isKept, input.contention, name)
        tethers = input.tether.map { [$0.takeUnretainedValue()] } ?? []
        morePlaces = Self.places(0)
        (self.compute, self.publish, self.deliver) = (compute, publish, deliver)
    }

    /// A node with several inputs, or one.
    @usableFromInline
    init(
        _ name: NodeName, from inputs: [PropertyNode], ending: Ending, isKept: Bool, compute: @escaping Compute,
        publish: @escaping Publish, deliver: @escaping Deliver
    ) {
        height = inputs.reduce(0) { max($0, $1.height) } + 1
        let isOfOneDomain = inputs.allSatisfy { $0.domain === inputs[0].domain }
        domain = isOfOneDomain ? inputs[0].domain : Domain(height: height)
        (input, moreInputs) = (inputs[0], Array(inputs.dropFirst()))
        var sources: [Unmanaged<PropertyNode>] = []
        for root in inputs.lazy.flatMap(\.sources) where !sources.contains(where: { $0.toOpaque() == root.toOpaque() })
        {
            sources.append(root)
        }
        (source, moreSources, hasMoreSources) = (sources[0], Array(sources.dropFirst()), sources.count > 1)
        (self.ending, self.isKept, self.name) = (ending, isKept, name)
        contention = inputs.lazy.map(\.contention).joined()
        tethers = inputs.compactMap { $0.tether?.takeUnretainedValue() }
        morePlaces = Self.places(inputs.count - 1)
        (self.compute, self.publish, self.deliver) = (compute, publish, deliver)
    }

    /// Whether it is a `RootNode`.
    @inlinable @inline(__always)
    final var isRoot: Bool { source == nil }

    /// Without an array.
    @inline(__always)
    final func forEachInput(_ body: (_ number: Int, PropertyNode) -> Void) {
        if let input { body(0, input) }
        for number in moreInputs.indices { body(number + 1, moreInputs[number]) }
    }

    final var inputs: [PropertyNode] { input.map { [$0] + moreInputs } ?? [] }

    final var sources: [Unmanaged<PropertyNode>] { source.map { [$0] + moreSources } ?? [.passUnretained(self)] }

    /// Traps where the property must not be used.
    @usableFromInline
    func refuseAccess() {}

    // MARK: Versions

    /// Changes whenever one of its roots does. Not for a root.
    @inlinable @inline(__always)
    final var versions: UInt {
        let first = source.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.version.load() }
        return hasMoreSources ? first &+ moreVersions : first
    }

    @usableFromInline @inline(never)
    final var moreVersions: UInt {
        moreSources.reduce(0) { sum, root in sum &+ root._withUnsafeGuaranteedRef { $0.version.load() } }
    }

    /// Changes whenever an input does. Where a root has changed and this has not, the value need not be computed.
    @usableFromInline
    final var changesOfInputs: UInt { changesOfInputs { input in input.domain.withLock { input.changes } } }

    @inline(__always)
    final func changesOfInputs(_ changes: (PropertyNode) -> UInt) -> UInt {
        var sum: UInt = 0
        forEachInput { _, input in sum &+= input.isRoot ? input.version.load() : changes(input) }
        return sum
    }

    /// Whether one of its roots has a value that no turn has published. Not for a root.
    @inlinable @inline(__always)
    final var isOvertaken: Bool {
        let isFirst = source.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.version.load() & Self.aheadBit != 0 }
        return isFirst || hasMoreSources && isAnyOtherOvertaken
    }

    @usableFromInline @inline(never)
    final var isAnyOtherOvertaken: Bool {
        moreSources.contains { $0._withUnsafeGuaranteedRef { $0.version.load() & Self.aheadBit != 0 } }
    }

    // MARK: Computing for readers

    /// Makes the inputs' values those of now, from the roots up and without recursion: chains may be long.
    @usableFromInline
    final func computeInputs() {
        guard let first = staleInput(nil) else { return }
        var visited: Set<ObjectIdentifier> = [ObjectIdentifier(first)]
        var path = [self, first]
        while let node = path.last {
            if let input = node.staleInput(visited) {
                visited.insert(ObjectIdentifier(input))
                path.append(input)
            } else {
                path.removeLast()
                if !path.isEmpty { node.computeForReaders() }
            }
        }
    }

    /// An input that has to be computed, and is none of these.
    private final func staleInput(_ visited: Set<ObjectIdentifier>?) -> PropertyNode? {
        func isStale(_ node: PropertyNode) -> Bool {
            !node.isCurrent && visited?.contains(ObjectIdentifier(node)) != true
        }
        if let input, isStale(input) { return input }
        return moreInputs.first(where: isStale)
    }

    final var isCurrent: Bool {
        isRoot || domain.withLock { links.isLinked ? isKept || !isOvertaken : seen == versions }
    }

    /// Computes the value for those who read it.
    @usableFromInline
    func computeForReaders() {}

    /// Lock. The value, as readers see it; nil while it is changed in place.
    var visibleValue: Any? { nil }

    /// Lock. Whether a body changes the value in place.
    @usableFromInline
    var isChangedInPlace: Bool { false }

    /// Waits while a body changes the value in place.
    @usableFromInline
    func awaitBody() {}

    /// Gives up what a turn has staged that was refused a gate.
    func discardNext() {
        staged = Staged()
        guard let memory, memory.isStaged else { return }
        memory.isStaged = false
        memory.discard()
    }

    /// Gate of a root, and no lock. Ends a turn that began here and was refused a gate.
    ///
    /// - Parameter keepsNext: Whether the next value is set ahead, until `gate` is left.
    /// - Returns: Whether it has been. Then the gate is to be settled.
    func giveWay(to gate: Gate, keepsNext: Bool) -> Bool { preconditionFailure("PropertyNode is abstract") }

    // MARK: Linking

    /// Computes the value, and links the node if nothing has changed meanwhile. The inputs have been linked before.
    @usableFromInline
    func tryToLink() -> Bool { preconditionFailure("PropertyNode is abstract") }

    /// Lock. To be called when that has changed which says how a root can be set.
    @usableFromInline
    func dependentsHaveChanged() {}

    // MARK: The name

    /// The name of the signal: made of those of the inputs.
    final var streamName: StreamName {
        switch name {
        case .alone(let text): StreamName(text)
        case .after(let text): StreamName(text, parent: input?.namedCore())
        case .joining(let text): StreamName(text, parent: Junction(inputs.map { $0.namedCore() }))
        }
    }

    /// The core of the signal, which is made if there is none.
    @usableFromInline
    func namedCore() -> SignalCore { preconditionFailure("PropertyNode is abstract") }

    /// Lock. Has the node linked while the signal is observed, and kept for as long as that is possible.
    final func watch(_ core: SignalCore) {
        if let tether {
            core.beWatched(by: SignalWatcher(tether.takeUnretainedValue(), begin: { _ in }, end: { _, _ in }))
        } else {
            core.beWatched(
                by: SignalWatcher(
                    self, begin: { unsafeDowncast($0, to: PropertyNode.self).beginObserving() },
                    end: { unsafeDowncast($0, to: PropertyNode.self).endWish($1) }))
        }
    }

    private final func beginObserving() {
        if isRoot { return }
        beginWish()
        endIfInputsHave()
    }

    /// Ends the signal if the node was found to have ended when it was linked.
    @usableFromInline
    final func endIfInputsHave() {
        let core = domain.withLock { links.wasFoundEnded ? signalCore : nil }
        core?.cutOff()
    }

    // MARK: In a turn

    /// Turn. Whether the node ends in it, with its inputs.
    final func endsNow() -> Bool {
        if isRoot { return staged.isEnding }
        return endsWhen { $0.links.hasEnded || $0.isStaged(for: self) && $0.staged.isEnding }
    }

    /// Turn of `node`. Whether what is staged here is for that turn.
    @inlinable @inline(__always)
    final func isStaged(for node: PropertyNode) -> Bool { domain === node.domain || isStagedElsewhere(for: node) }

    @usableFromInline @inline(never)
    final func isStagedElsewhere(for node: PropertyNode) -> Bool {
        guard domain.gate.isOwnedByCaller, let turn = domain.turn else { return false }
        // It may be in another turn of this thread, in the middle of which this one began.
        return turn.toOpaque() == node.domain.turn?.toOpaque()
    }

    final func endsWhen(_ hasEnded: (PropertyNode) -> Bool) -> Bool {
        switch ending {
        case .withAll: inputs.allSatisfy(hasEnded)
        case .with(let place): hasEnded(inputs[place])
        case .computed: false
        }
    }

    @usableFromInline
    final var isEndingComputed: Bool {
        if case .computed = ending { true } else { false }
    }
}

/// How a property is named that is derived from others.
@frozen @usableFromInline
package enum NodeName: Sendable {
    /// By this alone.
    case alone(StaticString)
    /// By this after the name of the one input.
    case after(StaticString)
    /// By this after the names of all inputs.
    case joining(StaticString)
}

/// Keeps a node linked that has a memory. Held by whatever refers to the node.
@usableFromInline
package final class Tether: Sendable {
    private let node: PropertyNode

    @usableFromInline
    init(_ node: PropertyNode) {
        self.node = node
        node.links.wishes = 1
        node.tether = .passUnretained(self)
    }

    deinit { node.endWish(nil) }
}
