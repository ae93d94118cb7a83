#if Explore
/// A place in the code that accesses a word.
package struct Site: Hashable, Comparable, CustomStringConvertible {
    private let file: String
    private let function: String
    private let operation: String

    package init(_ file: StaticString, _ function: StaticString, _ operation: StaticString) {
        self.file = "\(file)"
        self.function = "\(function)"
        self.operation = "\(operation)"
    }

    package var description: String { "\(file) \(function): \(operation)" }

    package static func < (left: Site, right: Site) -> Bool { left.description < right.description }
}

/// A deliberate fault: the accesses at one site have a weaker ordering than in the code.
///
/// If an exploration with it finds nothing, the ordering is stronger than necessary, or no scenario needs it.
package struct Weakening: Hashable, CustomStringConvertible {
    package let site: Site
    package let former: ExploredOrdering
    package let ordering: ExploredOrdering

    package var description: String { "\(site), \(ordering) instead of \(former)" }

    enum Access { case load, store, modification }

    /// The fault in force. `nil` in a plain exploration.
    nonisolated(unsafe) package static var current: Weakening?
    /// All faults that apply to the code that has run since this was set. `nil` if they are not collected.
    nonisolated(unsafe) package static var candidates: Set<Weakening>?

    static func apply(
        to ordering: ExploredOrdering, of access: Access, at site: @autoclosure () -> Site?
    ) -> ExploredOrdering {
        if current == nil, candidates == nil { return ordering }
        guard ordering != .relaxed, let site = site() else { return ordering }
        if candidates != nil {
            for weaker in weaker(than: ordering, access) {
                candidates?.insert(Weakening(site: site, former: ordering, ordering: weaker))
            }
        }
        guard let current, current.site == site, current.former == ordering else { return ordering }
        return current.ordering
    }

    private static func weaker(than ordering: ExploredOrdering, _ access: Access) -> [ExploredOrdering] {
        switch (ordering, access) {
        case (.sequentiallyConsistent, .load): [.acquiring]
        case (.sequentiallyConsistent, .store): [.releasing]
        case (.sequentiallyConsistent, .modification): [.acquiringAndReleasing]
        case (.acquiringAndReleasing, _): [.acquiring, .releasing]
        case (.acquiring, _), (.releasing, _): [.relaxed]
        case (.relaxed, _): []
        }
    }
}
#endif
