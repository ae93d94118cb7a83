/// An operator of your own: what it does with each event, written once for ``Signal`` and `SignalProducer`.
///
/// Like the operators of the library, but with state in plain properties and nothing to synchronise: write what becomes of a
/// value, and apply it.
///
///     /// Sends each value with its position.
///     struct Numbered<Value: Sendable, Failure: Error>: StreamOperator {
///         private var position = 0
///
///         mutating func receive(_ value: Value, to output: inout OperatorOutput<(Int, Value), Failure>) {
///             output.sendNext((position, value))
///             position += 1
///         }
///     }
///
///     names.applying(Numbered(), named: "numbered")
///
///     source      --a--b----c---|
///     numbered    -0a-1b---2c---|
///
/// **State**: an operator is a value. Each signal that `applying` makes has a copy of its own, from which all observers are
/// served; so has each start of a producer. It is released when the stream ends or nobody wants it any more.
///
/// **Events**: for one event that comes, any number may be sent, from inside the call and in the order in which they are to
/// arrive. There is no way to send later: what waits, takes a scheduler, or joins several streams is made of the operators that
/// do. Nothing comes after a terminal event, and nothing that is sent after the end goes through.
///
/// **Threads**: calls are serial, on the thread of the sender, and one happens before the next. A value that is sent to the source
/// from inside a call, or by an observer, is queued until the call has returned. There is no lock, and an event allocates
/// nothing.
///
/// **Ends**: the terminal events are passed on as they come, unless a method of the operator receives them. When a terminal event
/// has been received and none was sent, the result is interrupted: nothing could ever follow. An operator that ends before its
/// source, as `take(first:)` does, lets go of the source at once.
///
/// Contract 6 asks that errors and interruptions go on in the call that brings them; `OperatorContract` in
/// `ReactiveSignalsTesting` checks this and the rest.
///
/// - SeeAlso: ``Signal/applying(_:named:argument:)``, ``OperatorOutput``
public protocol StreamOperator<Input, InputFailure, Output, OutputFailure>: Sendable {
    /// The values that come.
    associatedtype Input: Sendable
    /// How the source may fail.
    associatedtype InputFailure: Error = OutputFailure
    /// The values that go on.
    associatedtype Output: Sendable
    /// How the result may fail.
    associatedtype OutputFailure: Error

    /// Receives a value.
    ///
    /// - Parameters:
    ///   - value: What the source has sent.
    ///   - output: Where to send what becomes of it. It cannot be kept.
    mutating func receive(_ value: Input, to output: inout OperatorOutput<Output, OutputFailure>)

    /// Receives the error with which the source fails. Passes it on by default, if the result can fail so.
    mutating func receiveError(_ error: InputFailure, to output: inout OperatorOutput<Output, OutputFailure>)

    /// Receives the completion of the source. Passes it on by default.
    mutating func receiveCompleted(to output: inout OperatorOutput<Output, OutputFailure>)

    /// Receives the interruption of the source. Passes it on by default.
    mutating func receiveInterrupted(to output: inout OperatorOutput<Output, OutputFailure>)
}

extension StreamOperator {
    /// Passes the completion on.
    @inlinable
    public mutating func receiveCompleted(to output: inout OperatorOutput<Output, OutputFailure>) {
        output.sendCompleted()
    }

    /// Passes the interruption on.
    @inlinable
    public mutating func receiveInterrupted(to output: inout OperatorOutput<Output, OutputFailure>) {
        output.sendInterrupted()
    }
}

extension StreamOperator where InputFailure == OutputFailure {
    /// Passes the error on.
    @inlinable
    public mutating func receiveError(_ error: InputFailure, to output: inout OperatorOutput<Output, OutputFailure>) {
        output.sendError(error)
    }
}

extension StreamOperator where InputFailure == Never {
    /// Is never called.
    @inlinable
    public mutating func receiveError(_ error: InputFailure, to output: inout OperatorOutput<Output, OutputFailure>) {}
}

extension StreamOperator where InputFailure == Never, OutputFailure == Never {
    /// Is never called.
    @inlinable
    public mutating func receiveError(_ error: InputFailure, to output: inout OperatorOutput<Output, OutputFailure>) {}
}
