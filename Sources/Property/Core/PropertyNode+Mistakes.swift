import HotSignals

extension PropertyNode {
    @usableFromInline
    final func beginSection(_ thread: UInt) -> Unmanaged<PureSection.Stack> { PureSection.begin(thread, self) }

    @usableFromInline
    final func beginBodySection(_ thread: UInt) -> Unmanaged<PureSection.Stack> {
        PureSection.begin(thread, self, isBody: true)
    }

    @usableFromInline
    final func endSection(_ thread: UInt, _ sections: Unmanaged<PureSection.Stack>) -> PureSection.Afterwards? {
        PureSection.end(thread, sections, self)
    }

    /// Traps in the closure that computes the node, also if that reads other properties whose closures read this one.
    @usableFromInline
    final func beginReading(_ thread: UInt) -> Unmanaged<PureSection.Stack> {
        PureSection.begin(thread, self, isReading: true)
    }

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
