import HotSignals

/// Code that sets no property: a closure that computes one, or the body of a `modify` or `withValue`.
///
/// The thread may own domains meanwhile, and other threads wait for it. If it could wait for them in turn, that would
/// depend on timing. So each set in a section traps, and everything else that changes a property follows when the
/// section is over: see ``afterwards(_:)``. A section is also a ``PassiveSection``: what it sends into a stream waits
/// for nobody, and it delivers nothing for other threads, whose observers could set properties.
///
/// Sections are nested: a body reads a property, whose closure reads another one.
@usableFromInline
package enum PureSection {
    /// The sections of one thread, innermost last.
    @usableFromInline
    final class Stack: @unchecked Sendable {
        // Sendable: only the thread that has claimed it uses it.

        private struct Section {
            var node: Unmanaged<PropertyNode>
            let isBody: Bool
        }

        @exclusivity(unchecked) private var sections = UnsafeMutablePointer<Section>.allocate(capacity: 4)
        @exclusivity(unchecked) private var capacity = 4
        @exclusivity(unchecked) private var count = 0
        @exclusivity(unchecked) private var deferred: Afterwards?

        deinit { sections.deallocate() }

        fileprivate var isEmpty: Bool { count == 0 }

        fileprivate func push(_ node: PropertyNode, isBody: Bool) {
            if count == capacity { grow() }
            (sections + count).initialize(to: Section(node: .passUnretained(node), isBody: isBody))
            count += 1
        }

        @inline(never)
        private func grow() {
            let larger = UnsafeMutablePointer<Section>.allocate(capacity: 2 * capacity)
            larger.moveInitialize(from: sections, count: count)
            sections.deallocate()
            (sections, capacity) = (larger, 2 * capacity)
        }

        fileprivate func pop() { count -= 1 }

        /// Names the node that the innermost section computes from now on.
        @inline(__always)
        func compute(_ node: Unmanaged<PropertyNode>) { (sections + (count - 1)).pointee.node = node }

        /// Traps if a closure that computes the node is running.
        @inline(never)
        fileprivate func refuseCycle(to node: PropertyNode) {
            for place in 0..<count where sections[place].node.takeUnretainedValue() === node && !sections[place].isBody
            {
                node.refuseReadingItself(
                    through: (place + 1..<count).map { sections[$0].node.takeUnretainedValue() })
            }
        }

        /// The innermost section.
        fileprivate var innermost: (node: PropertyNode, isBody: Bool) {
            let section = sections[count - 1]
            return (section.node.takeUnretainedValue(), section.isBody)
        }

        fileprivate func add(_ work: @escaping @Sendable () -> Void) {
            let deferred = deferred ?? Afterwards()
            self.deferred = deferred
            deferred.add(work)
        }

        @inline(__always)
        fileprivate func takeDeferred() -> Afterwards? { deferred == nil ? nil : deferred.take() }
    }

    /// What the sections of a thread have left, and the values that they have dropped.
    @usableFromInline
    package final class Afterwards: @unchecked Sendable {
        // Sendable: one thread uses it.
        @exclusivity(unchecked) private var work: [@Sendable () -> Void] = []

        fileprivate func add(_ new: @escaping @Sendable () -> Void) { work.append(new) }

        /// Call it when the thread owns no domain and has sent its events, and release this object after that: values
        /// are released with it.
        @usableFromInline @inline(never)
        func perform() { for work in work { work() } }
    }

    // MARK: Entering and leaving

    /// Begins a section. The stack stays valid until ``end(_:_:_:)``.
    ///
    /// - Parameter isReading: Whether to trap in the closure that computes the node, also if that reads other
    ///   properties whose closures read this one.
    @usableFromInline @inline(__always)
    static func begin(
        _ thread: UInt, _ node: PropertyNode, isBody: Bool = false, isReading: Bool = false
    ) -> Unmanaged<Stack> {
        let stack = node.domain.sections.enter(thread)
        stack._withUnsafeGuaranteedRef { stack in
            if isReading, !stack.isEmpty { stack.refuseCycle(to: node) }
            stack.push(node, isBody: isBody)
        }
        return stack
    }

    /// - Returns: What to perform when the thread owns no domain any more, if anything.
    @usableFromInline @inline(__always)
    static func end(_ thread: UInt, _ stack: Unmanaged<Stack>, _ node: PropertyNode) -> Afterwards? {
        let (isOutermost, deferred) = stack._withUnsafeGuaranteedRef { stack -> (Bool, Afterwards?) in
            stack.pop()
            return stack.isEmpty ? (true, stack.takeDeferred()) : (false, nil)
        }
        if isOutermost { node.domain.sections.leave(thread) }
        return deferred
    }

    // MARK: In a section

    /// Whether the calling thread is in a section.
    @usableFromInline
    package static var isCurrent: Bool { SectionTable.shared.contains(ThreadIdentity.current) }

    /// Runs `work` on the calling thread, when it has left all sections and owns no domain.
    @usableFromInline
    package static func afterwards(_ work: @escaping @Sendable () -> Void) {
        guard let stack = SectionTable.shared.stack(of: ThreadIdentity.current) else { return work() }
        let context = CapturedContext()
        stack.add { context.run(work) }
    }

    /// Releases a value that the caller drops when the calling thread has left all sections and owns no domain: the
    /// `deinit` of the user's value can set properties. At once if the thread is in no section.
    @usableFromInline @inline(never)
    static func release(_ value: any Sendable) {
        SectionTable.shared.stack(of: ThreadIdentity.current)?.add { withExtendedLifetime(value) {} }
    }

    /// Traps if the calling thread is in a section.
    @usableFromInline @inline(never)
    static func refuseSet(of node: PropertyNode, _ thread: UInt) {
        guard let stack = SectionTable.shared.stack(of: thread) else { return }
        node.refuseAccess()
        let (other, isBody) = stack.innermost
        let place = isBody ? "the body of modify, withValue or transaction of" : "a closure that computes"
        trap(
            """
            a property was set in \(place) another one: \(node.nameAndPlace), in \(other.nameAndPlace). Set it \
            after the body returns or in an observer, or change both with Property.transaction
            """)
    }
}
