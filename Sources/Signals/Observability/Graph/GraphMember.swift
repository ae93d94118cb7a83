/// An object that appears in the snapshots of ``StreamGraph``.
@usableFromInline
package protocol GraphMember: AnyObject, Sendable {
    /// Adds what it is to a snapshot. Called without a lock, on any thread.
    func appear(in walk: inout GraphWalk, as record: GraphRecord)

    /// What to observe, if that is what the member consists of.
    var graphCore: SignalCore? { get }
}

extension GraphMember {
    @usableFromInline package var graphCore: SignalCore? { nil }
}
