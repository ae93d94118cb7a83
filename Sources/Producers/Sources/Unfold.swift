extension SignalProducer {
    /// A producer of the values that a function makes of a state, until it returns `nil`, and which may fail.
    ///
    /// ```swift
    /// let blocks = SignalProducer.unfold(0) { offset throws(FileError) in
    ///     let bytes = try file.read(at: offset)
    ///     return bytes.isEmpty ? nil : (bytes, offset + bytes.count)
    /// }
    /// ```
    ///
    /// Like ``SignalProducer/init(_:)-6bvzq`` of a sequence whose state may be copied: each start begins with the same
    /// state. The function is called on the thread of the start, only as long as the next value is needed, so the
    /// stream can be infinite if something downstream ends it. Any number of values takes constant stack.
    ///
    /// A closure literal that throws must state its error type; otherwise the compiler infers `any Error`. A named
    /// function need not.
    ///
    /// - Parameters:
    ///   - state: The first state.
    ///   - next: Returns a value and the next state, or `nil` to complete.
    /// - SeeAlso: ``unfold(_:async:)-4x0or``, if the function is asynchronous.
    @_alwaysEmitIntoClient
    public static func unfold<State: Sendable>(
        _ state: State, _ next: @escaping @Sendable (State) throws(Failure) -> (Value, State)?
    ) -> SignalProducer {
        SignalProducer(StreamName("unfold")) { start, sink in
            var state = state
            do throws(Failure) {
                // Checks `isOver` first, so that no value is computed that is not needed.
                while !start.isOver, let (value, following) = try next(state) {
                    state = following
                    sink.next(value)
                }
                sink.end(.completed)
            } catch {
                sink.end(.error(error))
            }
        }
    }
}

extension SignalProducer where Failure == Never {
    /// A producer of the values that a function makes of a state, until it returns `nil`.
    ///
    /// ```marbles
    /// SignalProducer.unfold(1) { $0 < 9 ? ($0, $0 * 2) : nil }    1248|
    /// ```
    ///
    /// Overload for a function that cannot fail: see
    /// ``SignalProducer/unfold(_:_:)-6i2zr``.
    ///
    /// - Parameters:
    ///   - state: The first state.
    ///   - next: Returns a value and the next state, or `nil` to complete.
    @_alwaysEmitIntoClient
    public static func unfold<State: Sendable>(
        _ state: State, _ next: @escaping @Sendable (State) -> (Value, State)?
    ) -> SignalProducer {
        SignalProducer(StreamName("unfold")) { start, sink in
            var state = state
            while !start.isOver, let (value, following) = next(state) {
                state = following
                sink.next(value)
            }
            sink.end(.completed)
        }
    }
}
