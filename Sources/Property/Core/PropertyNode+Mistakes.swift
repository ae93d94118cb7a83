import HotSignals

// Traps for closures that compute a property and use properties as they must not. A closure runs without a lock, and
// outside of a propagation also without a gate. So what it has done is recognized afterwards there.
extension PropertyNode {
    /// Traps because this root was set in a closure that a propagation in one of the domains computes.
    final func refuseSet(in domains: [Domain]) -> Never {
        let changed = domains.lazy.compactMap { $0.gate.isOwnedByCaller ? $0.propagation : nil }.first
        let cause = changed.map { ", during a change of \($0.takeUnretainedValue().nameAndPlace)" } ?? ""
        fatalError("\(Self.refusal), and the change concerns that property: \(nameAndPlace)\(cause)")
    }

    /// Traps if the gate that was refused to the propagation of this root is the caller's.
    @usableFromInline
    final func refuseSet(ifComputing gate: Gate) { if gate.isOwnedByCaller { refuseSet(in: []) } }

    /// Called if a root has changed while the caller computed this node outside of a propagation. Traps if it was the
    /// caller that changed it.
    ///
    /// - Parameters:
    ///   - versions: ``versions`` before the computation.
    ///   - versionsByRoot: The same for each root. Without them, only the change of a single root can be recognized.
    @usableFromInline @inline(never)
    final func refuseOwnSets(since versions: UInt, _ versionsByRoot: [UInt]?) {
        guard let former = versionsByRoot ?? (moreSources == nil ? [versions] : nil) else { return }
        for (root, former) in zip(sources.map({ $0.takeUnretainedValue() }), former)
        where root.version.load() != former && root.wasSetByCaller {
            fatalError("\(Self.refusal) derived from it: \(root.nameAndPlace), in \(nameAndPlace)")
        }
    }

    @usableFromInline
    final var versionsByRoot: [UInt] { sources.map { $0._withUnsafeGuaranteedRef { $0.version.load() } } }

    @usableFromInline
    final func refuseReadingItself() -> Never {
        fatalError("a property was read in the closure that computes it: \(nameAndPlace)")
    }

    private static let refusal = "a property was set in a closure that computes a property"

    private final var nameAndPlace: String { namedCore().nameAndPlace }
}
