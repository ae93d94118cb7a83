extension SignalProducer {
    /// Combines this producer with another stream, and buffers a limited number of values of the one that is ahead.
    ///
    /// Like ``/HotSignals/Signal/zip(with:bufferLimit:whenFull:raising:file:line:)`` of signals, separately for each
    /// start. This producer's work begins first: what it sends immediately waits for the other stream.
    ///
    /// - Parameters:
    ///   - other: A signal, or a producer, which is started once per start.
    ///   - bufferLimit: The maximum number of values of one stream that wait for the other one. Traps unless positive.
    ///   - overflow: What happens when a stream sends one more value.
    ///   - error: Sent in case of `.fail`, which traps without it.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func zip<Other>(
        with other: some SignalProducerConvertible<Other, Failure>, bufferLimit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer<(Value, Other), Failure> {
        overflow.require(
            for: "zip", (label: "bufferLimit", value: bufferLimit), hasError: error != nil, file: file, line: line)
        return SignalProducer<Never, Failure>.combiningPair("+zip:", self, other.producer) {
            $0.zip(with: $1, bufferLimit: bufferLimit, whenFull: overflow, raising: error, file: file, line: line)
        }
    }
}
