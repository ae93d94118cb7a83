import HotSignals

extension PropertyNode {
    /// - Parameter others: The nodes between the two computations.
    final func refuseReadingItself(through others: [PropertyNode]) -> Never {
        let others = others.map { ", through \($0.nameAndPlace)" }.joined()
        trap("a property was read in the closure that computes it: \(nameAndPlace)\(others)")
    }

    /// The name, and the line where the property was made.
    final var nameAndPlace: String {
        // Linked roots follow one that is not visible outside.
        let follower = height < 0 ? domain.withLock { links.dependents.first?.node.takeUnretainedValue() } : nil
        return (follower ?? self).namedCore().nameAndPlace
    }
}
