import HotSignals

// What a node does that depends on the type of its value.
extension PropertyNode {
    @usableFromInline typealias Compute = @Sendable (PropertyNode, UnsafePointer<Pull>?) -> Bool
    @usableFromInline typealias Publish = @Sendable (PropertyNode, _ thread: UInt, borrowing HeldLock) -> Publication
    @usableFromInline typealias Deliver = @Sendable (PropertyNode, _ thread: UInt) -> Void
    @usableFromInline typealias Perform = @Sendable (PropertyNode, Operation) -> Bool

    @frozen @usableFromInline
    enum Operation: Sendable {
        /// Creates the core of the signal, if there is none.
        case makeCore
        /// Computes the value for readers, from inputs that are up to date.
        case compute
        /// Adds the value to a snapshot that has those of the inputs.
        case evaluate(Snapshot)
        /// Computes the value, and links the node unless something has changed in the meantime.
        case link
    }

    /// The operations that depend on the type of the value. The closures are created where the type is known, because a
    /// method of a generic class would run unspecialized.
    @frozen @usableFromInline
    struct Behavior: Sendable {
        /// Computes the value: the next one in a propagation (without a pull), otherwise into the pull's `result`.
        /// Returns `false` if the value stays as it is.
        @usableFromInline let compute: Compute
        /// Makes the next value the current one, and enqueues its event, under the locks of all domains of the
        /// propagation.
        @usableFromInline let publish: Publish
        /// Sends the event, releases the previous value, and leaves the gate of the signal.
        @usableFromInline let deliver: Deliver
        /// The other operations.
        @usableFromInline let perform: Perform

        @_alwaysEmitIntoClient
        init(
            compute: @escaping Compute, publish: @escaping Publish, deliver: @escaping Deliver,
            perform: @escaping Perform
        ) {
            self.compute = compute
            self.publish = publish
            self.deliver = deliver
            self.perform = perform
        }
    }

    /// The outcome of publishing.
    @frozen @usableFromInline
    enum Publication: Sendable {
        /// The caller owns the gate of the signal, and must deliver the event.
        case entered
        /// The event is in the inbox of the gate.
        case added
        /// There is no event to deliver.
        case silent
    }
}
