import ColdProducers
import HotSignals
public import ReactiveSignals

// Streams that send the events of a diagram.
extension TestScheduler {
    /// A hot signal that sends what a diagram says, from the current time on, whether or not it is observed.
    ///
    /// ```swift
    /// let keys = scheduler.signal("a-b--c|", values: ["a": 1, "b": 2, "c": 3])
    /// ```
    ///
    /// Events of the first column are sent the next time the test advances, even by zero. Without a terminal event in
    /// the diagram, the signal is interrupted when the scheduler is released, and not before. Events are sent on the
    /// thread that advances the time.
    public func signal<Value, Failure>(_ marbles: Marbles<Value, Failure>) -> Signal<Value, Failure> {
        Signal { input, lifetime in
            for timed in marbles.events {
                schedule(after: timed.time.offset) { input.send(timed.event) }
            }
            // Retains the input, because releasing it would interrupt the signal, even if the diagram has no terminal
            // event.
            let key = ObjectIdentifier(input)
            withLock { inputs[key] = input }
            lifetime.observeEnded { [weak self] in
                // Released outside the lock.
                _ = self?.withLock { self?.inputs.removeValue(forKey: key) }
            }
        }
    }

    /// A hot signal that sends what a diagram says, whose words are looked up in `values`: see ``signal(_:)``.
    ///
    /// - Parameters:
    ///   - text: Traps if it is malformed, with a message that states the column: see ``Marbles``.
    ///   - frame: The length of a frame.
    ///   - values: The values that the words represent.
    ///   - error: The error that `X` and `#` represent.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func signal<Value, Failure: Error>(
        _ text: String, frame: Swift.Duration = .seconds(1), values: MarbleValues<Value>, error: Failure,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Signal<Value, Failure> {
        signal(
            .trapping(file: file, line: line) { () throws(MarbleSyntaxError) in
                try Marbles(text, frame: frame, values: values, error: error, file: file, line: line)
            })
    }

    /// A hot signal that cannot fail and sends what a diagram says: see ``signal(_:frame:values:error:file:line:)``.
    public func signal<Value>(
        _ text: String, frame: Swift.Duration = .seconds(1), values: MarbleValues<Value>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Signal<Value, Never> {
        signal(
            .trapping(file: file, line: line) { () throws(MarbleSyntaxError) in
                try Marbles(text, frame: frame, values: values, file: file, line: line)
            })
    }

    /// A hot signal that sends what a diagram says, whose words represent themselves: see
    /// ``signal(_:frame:values:error:file:line:)``.
    ///
    /// ```swift
    /// let numbers = scheduler.signal("1-2-X", of: Int.self, error: Failed())
    /// ```
    ///
    /// - Parameters:
    ///   - text: Traps if it is malformed, with a message that states the column: see ``Marbles``.
    ///   - type: The type of the values, if the context does not determine it.
    ///   - frame: The length of a frame.
    ///   - error: The error that `X` and `#` represent.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func signal<Value: LosslessStringConvertible & Sendable, Failure: Error>(
        _ text: String, of type: Value.Type = Value.self, frame: Swift.Duration = .seconds(1), error: Failure,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Signal<Value, Failure> {
        signal(text, frame: frame, values: .literal, error: error, file: file, line: line)
    }

    /// A hot signal that cannot fail and sends what a diagram says, whose words represent themselves: see
    /// ``signal(_:of:frame:error:file:line:)``.
    public func signal<Value: LosslessStringConvertible & Sendable>(
        _ text: String, of type: Value.Type = Value.self, frame: Swift.Duration = .seconds(1),
        file: StaticString = #fileID, line: UInt = #line
    ) -> Signal<Value, Never> {
        signal(text, frame: frame, values: .literal, file: file, line: line)
    }

    /// A cold producer whose starts each send what a diagram says, from the time of the start.
    ///
    /// ```swift
    /// let page = scheduler.producer("--a|", values: ["a": Page()])
    /// ```
    ///
    /// Events of the first column are sent the next time the test advances, even by zero. Without a terminal event in
    /// the diagram, the producer does not end. Events are sent on the thread that advances the time. Disposal removes
    /// the events that have not been sent from the scheduler.
    public func producer<Value, Failure>(_ marbles: Marbles<Value, Failure>) -> SignalProducer<Value, Failure> {
        SignalProducer(StreamName("marbles")) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            for timed in marbles.events {
                start += self.schedule(after: timed.time.offset) { core.send(timed.event) }
            }
        }
    }

    /// A cold producer that sends what a diagram says, whose words are looked up in `values`: see ``producer(_:)``.
    ///
    /// - Parameters:
    ///   - text: Traps if it is malformed, with a message that states the column: see ``Marbles``.
    ///   - frame: The length of a frame.
    ///   - values: The values that the words represent.
    ///   - error: The error that `X` and `#` represent.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func producer<Value, Failure: Error>(
        _ text: String, frame: Swift.Duration = .seconds(1), values: MarbleValues<Value>, error: Failure,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer<Value, Failure> {
        producer(
            .trapping(file: file, line: line) { () throws(MarbleSyntaxError) in
                try Marbles(text, frame: frame, values: values, error: error, file: file, line: line)
            })
    }

    /// A cold producer that cannot fail and sends what a diagram says: see
    /// ``producer(_:frame:values:error:file:line:)``.
    public func producer<Value>(
        _ text: String, frame: Swift.Duration = .seconds(1), values: MarbleValues<Value>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer<Value, Never> {
        producer(
            .trapping(file: file, line: line) { () throws(MarbleSyntaxError) in
                try Marbles(text, frame: frame, values: values, file: file, line: line)
            })
    }

    /// A cold producer that sends what a diagram says, whose words represent themselves: see
    /// ``producer(_:frame:values:error:file:line:)``.
    public func producer<Value: LosslessStringConvertible & Sendable, Failure: Error>(
        _ text: String, of type: Value.Type = Value.self, frame: Swift.Duration = .seconds(1), error: Failure,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer<Value, Failure> {
        producer(text, frame: frame, values: .literal, error: error, file: file, line: line)
    }

    /// A cold producer that cannot fail and sends what a diagram says, whose words represent themselves: see
    /// ``producer(_:of:frame:error:file:line:)``.
    public func producer<Value: LosslessStringConvertible & Sendable>(
        _ text: String, of type: Value.Type = Value.self, frame: Swift.Duration = .seconds(1),
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer<Value, Never> {
        producer(text, frame: frame, values: .literal, file: file, line: line)
    }
}
