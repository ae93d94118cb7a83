import HotSignals

extension PropertyNode {
    @usableFromInline
    final func beginSection(_ thread: UInt) -> Unmanaged<PureSection.Stack> { PureSection.begin(thread, self) }

    @usableFromInline
    final func beginBodySection(_ thread: UInt) -> Unmanaged<PureSection.Stack> {
        PureSection.begin(thread, self, isBody: true)
    }

    @usableFromInline
    final func endSection(_ thread: UInt, _ sections: Unmanaged<PureSection.Stack>) {
        PureSection.end(thread, sections, self)
    }

    @usableFromInline
    final func refuseReadingItself() -> Never {
        fatalError("a property was read in the closure that computes it: \(nameAndPlace)")
    }

    /// The name, and the line where the property was made.
    final var nameAndPlace: String {
        // Linked roots follow one that is not visible outside.
        let follower = height < 0 ? domain.withLock { links.dependents.all.first?.node.takeUnretainedValue() } : nil
        return (follower ?? self).namedCore().nameAndPlace
    }
}
