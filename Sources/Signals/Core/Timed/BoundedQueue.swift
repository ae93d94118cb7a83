/// The buffer of a timed operator, with a limit.
@frozen @usableFromInline
package struct BoundedQueue<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow
    @usableFromInline let error: Failure?
    @usableFromInline package internal(set) var values: Queue<Value>
    /// The error of an overflow, or how the source has ended.
    @usableFromInline package var termination: Termination<Failure>?

    /// - Parameter error: Not `nil` if the overflow is `.fail`.
    @inlinable
    package init(limit: Int, _ overflow: Overflow, raising error: Failure?) {
        self.limit = limit
        self.overflow = overflow
        self.error = error
        values = Queue()
    }

    /// Adds a value, and returns what is discarded.
    @_alwaysEmitIntoClient
    package mutating func append(_ value: Value) -> Queue<Value>? {
        if termination != nil { return Queue(value) }
        if values.count < limit {
            values.append(value)
            return nil
        }
        switch overflow.kind {
        case .dropNewest: return Queue(value)
        case .dropOldest:
            let oldest = values.popFirst()
            values.append(value)
            return oldest.map { Queue($0) }
        case .fail:
            termination = error.map { .error($0) }
            var discarded = clear()
            discarded.append(value)
            return discarded
        }
    }

    @_alwaysEmitIntoClient
    package mutating func popFirst() -> Value? { values.popFirst() }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Queue<Value> { exchange(&values, with: Queue()) }
}
