public import HotSignals

/// A property's place in its graph, whatever its type.
///
/// # Who keeps whom alive
/// A derived node holds those that it is derived from, and they hold it, so that a turn finds it. What breaks that cycle is
/// liveness: a derived node is linked while its signal is held or observed (a `Property` holds it), or while a node is linked
/// that is derived from it. After that it is unlinked; and so is one that has ended.
///
/// # Who touches what
/// - *lock*: guarded by the lock of the graph that the node is part of.
/// - *turn*: for the turn that computes in that graph, that is, the owner of the graph as a gate.
/// - *gate*: for the owner of the gate of the node's signal.
@usableFromInline
@_fixed_layout
package class PropertyNode: @unchecked Sendable {
    // Sendable: see above.

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

    /// When a derived node ends.
    @frozen @usableFromInline
    package enum Ending: Sendable {
        /// With the last of its inputs.
        case withAll
        /// With the input at this place.
        case with(Int)
        /// When `compute` says so, which is called when an input ends, too: it sets ``PropertyNode/isEnding``. It has ended from the
        /// beginning if one of the inputs had.
        case computed

        @usableFromInline var isComputed: Bool {
            if case .computed = self { true } else { false }
        }
    }

    /// One of the nodes that are derived from this one.
    @frozen @usableFromInline
    struct Dependent {
        /// Held by this reference.
        @usableFromInline let node: Unmanaged<PropertyNode>
        /// This one's place among its inputs.
        @usableFromInline let input: Int

        init(node: PropertyNode, input: Int) {
            self.node = .passRetained(node)
            self.input = input
        }
    }

    /// The graph that it was made in, which leads to the one that it is part of.
    @usableFromInline final let origin: Graph
    // What depends on the type of the value. These closures are made where the type is known: a method of a generic class would
    // run unspecialised.

    /// Computes the next value. Returns false if it stays as it is. Turn.
    @usableFromInline final let compute: @Sendable (PropertyNode) -> Bool
    /// Makes the next value the value, and lines up its event. Turn and lock.
    @usableFromInline final let publish: @Sendable (PropertyNode, _ thread: UInt) -> Publication
    /// Sends the event, lets go of the former value, and leaves the gate. Gate.
    @usableFromInline final let deliver: @Sendable (PropertyNode, _ thread: UInt) -> Void
    @usableFromInline final let signalCore: SignalCore
    /// The nodes that it is derived from.
    @usableFromInline final let inputs: [PropertyNode]
    /// The longest way from here to a root: a turn computes the lower ones first.
    @usableFromInline final let height: Int
    /// When it ends.
    @usableFromInline final let ending: Ending

    /// Lock. The place among the dependents of each input; empty while it is not linked, -1 where the input has ended.
    @exclusivity(unchecked) final var places: [Int] = []
    /// Lock.
    @exclusivity(unchecked) @usableFromInline final var dependents: [Dependent] = []
    /// How many dependents there are, for a turn that looks without the lock.
    @usableFromInline final let dependentCount = AtomicWord(0)
    /// Lock. How often the value has changed.
    @exclusivity(unchecked) @usableFromInline final var version: UInt = 0
    /// Lock.
    @exclusivity(unchecked) @usableFromInline final var hasEnded = false
    /// Lock. Whether a turn of its own has yet to compute it.
    @exclusivity(unchecked) @usableFromInline final var isStale = false
    /// Lock. Whether a turn is computing that began before this was linked.
    @exclusivity(unchecked) @usableFromInline final var isNewcomer = false
    /// Lock. What ``inputVersions`` was when it was linked.
    @exclusivity(unchecked) @usableFromInline final var linkedVersions: UInt = 0
    /// Lock. The graph whose owner runs the body of a `modify`.
    @exclusivity(unchecked) @usableFromInline final var modifier: Graph?
    /// Lock. Whether that body changes the value in place, which nobody else touches meanwhile.
    @exclusivity(unchecked) @usableFromInline final var isModifiedInPlace = false
    /// Lock. Whether its event goes before those of lower nodes, in turns of the property that it belongs to.
    @exclusivity(unchecked) final var isHerald = false
    /// Lock. Whether the signal is held or observed.
    @exclusivity(unchecked) final var isWanted = true

    /// Turn. In the queue of those to compute.
    @exclusivity(unchecked) @usableFromInline final var isQueued = false
    /// Turn. To be computed though no input has changed in this turn.
    @exclusivity(unchecked) @usableFromInline final var isRefreshed = false
    /// Turn. Has a next value.
    @exclusivity(unchecked) @usableFromInline final var hasNext = false
    /// Turn. Ends with this turn.
    @exclusivity(unchecked) @usableFromInline final var isEnding = false
    /// Turn. The next one in the queue, or in the list of those that have changed.
    @exclusivity(unchecked) @usableFromInline final var nextInTurn: Unmanaged<PropertyNode>?
    /// Gate. The next one whose event is to be delivered.
    @exclusivity(unchecked) final var nextToDeliver: Unmanaged<PropertyNode>?

    /// Whether it is a `RootNode`.
    @inlinable
    final var isRoot: Bool { inputs.isEmpty }

    @usableFromInline
    init(
        _ signalCore: SignalCore, inputs: [PropertyNode] = [], ending: Ending = .withAll,
        compute: @escaping @Sendable (PropertyNode) -> Bool,
        publish: @escaping @Sendable (PropertyNode, _ thread: UInt) -> Publication,
        deliver: @escaping @Sendable (PropertyNode, _ thread: UInt) -> Void
    ) {
        self.signalCore = signalCore
        self.inputs = inputs
        self.ending = ending
        self.compute = compute
        self.publish = publish
        self.deliver = deliver
        origin = inputs.first?.origin ?? Graph()
        height = (inputs.map(\.height).max() ?? -1) + 1
    }

    /// What to do when nobody wants the node any more, beside unlinking it.
    @usableFromInline
    func whenUnwanted() {}

    /// Lock. What to do when it ends, beside unlinking it. The references are to be let go of outside the lock.
    func whenEnded(_ garbage: inout [Unmanaged<PropertyNode>]) {}

    /// Traps where the property must not be used.
    @usableFromInline
    func refuseAccess() {}

    /// Waits until no body of a `modify` runs.
    ///
    /// - Parameter isInPlace: Whether to wait only for one that changes the value in place.
    @usableFromInline @inline(never)
    final func awaitModification(isInPlace: Bool) {
        refuseAccess()
        guard let gate = origin.withLock({ _ in isInPlace && !isModifiedInPlace ? nil : modifier?.gate }) else {
            return
        }
        let thread = ThreadIdentity.current
        if !gate.enterToRead(thread) { refuseCycle() }
        gate.leave(thread)
    }

    /// Traps where two threads would wait for each other.
    @usableFromInline
    final func refuseCycle() -> Never {
        let name = StreamName.description(of: signalCore)
        fatalError("\(name): two threads in bodies of modify are waiting for each other's property")
    }

    /// Runs `body` with the lock, at a moment at which the values of these can be read.
    @inlinable
    static func withReadable<Result>(_ nodes: [PropertyNode], _ body: () -> Result) -> Result {
        var mayRefresh = true
        while true {
            let (result, isStale) = nodes[0].origin.withLock { _ -> (Result?, Bool) in
                let isStale = mayRefresh && nodes.contains { $0.isStale }
                let isReadable = !isStale && nodes.allSatisfy { !$0.isModifiedInPlace }
                return (isReadable ? body() : nil, isStale)
            }
            if let result { return result }
            for node in nodes { node.awaitModification(isInPlace: true) }
            if isStale {
                // Once: in a closure that is computed, the refreshing has to wait.
                mayRefresh = false
                nodes[0].origin.refresh(ThreadIdentity.current)
            }
        }
    }

    // MARK: Linking

    /// Whether it ends where a condition holds for what has ended.
    final func endsWhen(_ hasEnded: (PropertyNode) -> Bool) -> Bool {
        switch ending {
        case .withAll: inputs.allSatisfy(hasEnded)
        case .with(let place): hasEnded(inputs[place])
        case .computed: false
        }
    }

    /// Has the inputs know of this, unless they have changed since `versions` were seen; then it returns false.
    @usableFromInline
    final func link(seen versions: UInt) -> Bool {
        origin.withLock { graph in
            guard inputs.versions == versions, inputs.allSatisfy({ !$0.isModifiedInPlace }) else { return false }
            link(graph)
            return true
        }
    }

    private final func link(_ graph: Graph) {
        linkedVersions = inputs.versions
        hasEnded = endsWhen { $0.hasEnded } || ending.isComputed && inputs.contains { $0.hasEnded }
        if hasEnded { return }
        places = inputs.enumerated().map { index, input in
            if input.hasEnded { return -1 }
            input.dependents.append(Dependent(node: self, input: index))
            input.countDependents()
            return input.dependents.count - 1
        }
        graph.size += 1
        if inputs.contains(where: { $0.isStale }) {
            isStale = true
            graph.stale.append(self)
            graph.isSpecial = true
        }
        if graph.computing > 0 {
            isNewcomer = true
            graph.newcomers.append(self)
            graph.isSpecial = true
        }
    }

    /// Lock. Has the inputs forget this. The references are to be let go of outside the lock.
    final func unlink(_ graph: Graph, _ garbage: inout [Unmanaged<PropertyNode>]) {
        if places.isEmpty { return }
        for (index, input) in inputs.enumerated() {
            // Read here and not before: where an input is there several times, one place after the other changes.
            let place = places[index]
            if place < 0 { continue }
            garbage.append(input.dependents[place].node)
            // The last one takes its place.
            let last = input.dependents.removeLast()
            if place < input.dependents.count {
                input.dependents[place] = last
                last.node._withUnsafeGuaranteedRef { $0.places[last.input] = place }
            }
            input.countDependents()
        }
        graph.size -= 1
        places = []
    }

    /// Lock. Has the dependents forget this, which has ended.
    final func letGoOfDependents(_ garbage: inout [Unmanaged<PropertyNode>]) {
        for dependent in dependents {
            dependent.node._withUnsafeGuaranteedRef { $0.places[dependent.input] = -1 }
            garbage.append(dependent.node)
        }
        dependents = []
        countDependents()
    }

    private final func countDependents() { _ = dependentCount.exchange(UInt(dependents.count)) }

    // MARK: Liveness

    /// To be called once, for a node that is let go of when nobody wants it.
    @usableFromInline
    final func followSignal() {
        signalCore.makeLifetime().observeEnded { self.signalHasEnded() }
    }

    /// The signal has ended, or nobody holds or observes it any more.
    private final func signalHasEnded() {
        var garbage: [Unmanaged<PropertyNode>] = []
        var unwanted: [PropertyNode] = []
        origin.withLock { graph in
            isWanted = false
            var candidates: [PropertyNode] = [self]
            while let node = candidates.popLast() {
                guard !node.isWanted, node.dependents.isEmpty, !node.isLetGo else { continue }
                node.isLetGo = true
                node.unlink(graph, &garbage)
                unwanted.append(node)
                candidates += node.inputs
            }
            if graph.computing > 0 {
                graph.debris += garbage
                graph.isSpecial = true
                garbage = []
            }
        }
        for node in unwanted { node.whenUnwanted() }
        for node in garbage { node.letGo() }
    }

    /// Lock.
    @exclusivity(unchecked) private final var isLetGo = false
}

extension Unmanaged where Instance == PropertyNode {
    /// Lets go of a reference, with no lock held. A turn that has lined up the node's event has entered its gate, and does not hold
    /// the node: then it goes when that gate has been left.
    func letGo() {
        let core = _withUnsafeGuaranteedRef { $0.signalCore }
        if core.isTaken {
            core.push(DeferredUpkeep { [node = takeUnretainedValue()] in core.letGoAfterLeaving(ObjectDebris(node)) })
        }
        release()
    }
}
