extension SignalProducer {
    /// A producer that calls a function at each start, and sends its result or fails with the error that it throws.
    ///
    /// ```swift
    /// let size = SignalProducer.attempt { () throws(FileError) in try fileSize(path) }
    /// ```
    ///
    /// A closure literal must state its error type; otherwise the compiler infers `any Error`. A named function need
    /// not.
    ///
    /// - Parameter operation: Called on the thread of the start.
    @_alwaysEmitIntoClient
    public static func attempt(_ operation: @escaping @Sendable () throws(Failure) -> Value) -> SignalProducer {
        SignalProducer(StreamName("attempt")) { start, sink in
            if start.isOver { return sink.end(.interrupted) }
            do throws(Failure) {
                sink.next(try operation())
                sink.end(.completed)
            } catch {
                sink.end(.error(error))
            }
        }
    }

    /// A producer that calls a function at each start, and sends the success or fails with the failure that it returns.
    ///
    /// - Parameter operation: Called on the thread of the start.
    @_alwaysEmitIntoClient
    public static func attempt(_ operation: @escaping @Sendable () -> Result<Value, Failure>) -> SignalProducer {
        attempt { () throws(Failure) in try operation().get() }
    }
}
