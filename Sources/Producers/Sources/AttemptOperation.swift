extension SignalProducer {
    /// A producer that calls a function at each start, and sends what it returns or fails with what it throws.
    ///
    ///     let size = SignalProducer.attempt { () throws(FileError) in try fileSize(path) }
    ///
    /// A closure has to say what it throws, as the compiler takes it for `any Error` otherwise; a function is known.
    ///
    /// - Parameter operation: Called on the thread of the start.
    @inlinable
    public static func attempt(_ operation: @escaping @Sendable () throws(Failure) -> Value) -> SignalProducer {
        SignalProducer(StreamName("attempt")) { run, sink in
            if run.isOver { return sink.finish(.interrupted) }
            do throws(Failure) {
                sink.next(try operation())
                sink.finish()
            } catch {
                sink.finish(.error(error))
            }
        }
    }

    /// A producer that calls a function at each start, and sends its success or fails with its failure.
    ///
    /// - Parameter operation: Called on the thread of the start.
    @inlinable
    public static func attempt(_ operation: @escaping @Sendable () -> Result<Value, Failure>) -> SignalProducer {
        attempt { () throws(Failure) in try operation().get() }
    }
}
