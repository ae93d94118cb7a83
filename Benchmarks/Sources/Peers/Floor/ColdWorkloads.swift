package import PeerSupport

extension FloorPeer {
    /// A loop of the three stored closures.
    package static func sequence(_ functions: Functions) -> Run {
        { count in
            var total = 0
            for value in Values.first(count) {
                let value = functions.transform(value)
                if functions.isKept(value) { total = functions.combine(total, value) }
            }
            functions.observe(total)
        }
    }
}
