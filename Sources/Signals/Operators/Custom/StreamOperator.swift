/// A custom operator, written once for ``Signal`` and `SignalProducer`.
///
/// Implement what it does with a value, store state in ordinary properties, and apply it. No synchronization is needed.
///
/// ```swift
/// /// Sends each value with its position.
/// struct Numbered<Value: Sendable, Failure: Error>: StreamOperator {
///     private var position = 0
///
///     mutating func receive(_ value: Value, to output: inout OperatorOutput<(Int, Value), Failure>) {
///         output.sendNext((position, value))
///         position += 1
///     }
/// }
///
/// names.applying(Numbered(), named: "numbered")
/// ```
///
/// ```marbles
/// names                         --a-----b-----c-----|
/// names.applying(Numbered())    --(0,a)-(1,b)-(2,c)-|
/// ```
///
/// **State**: an operator is a value. Each signal that `applying` returns has its own copy, which serves all observers.
/// So does each start of a producer. The copy is released when the stream ends or is abandoned.
///
/// **Events**: a call can send any number of events, in order. It cannot send later: an operator that waits, takes a
/// scheduler or joins streams is a combination of existing operators. Nothing can be sent after a terminal event.
///
/// **Threads**: calls are serial, on the sender's thread. A value sent re-entrantly, from inside a call or by an
/// observer, is queued until the call has returned. There is no lock, and no allocation per event.
///
/// **Terminal events** are forwarded unless you implement the method that receives them. If such a method sends no
/// terminal event, the result is interrupted. An operator that ends before its source, as `take(first:)` does, disposes
/// of the source immediately.
///
/// Point 6 of the contract requires that errors and interruptions are forwarded by the call that receives them.
/// `OperatorContract` in `ReactiveSignalsTesting` checks this and the other points.
///
/// - SeeAlso: ``Signal/applying(_:named:argument:)``, ``OperatorOutput``
public protocol StreamOperator<Input, InputFailure, Output, OutputFailure>: Sendable {
    /// The type of the values it receives.
    associatedtype Input: Sendable
    /// The error type of the source.
    associatedtype InputFailure: Error = OutputFailure
    /// The type of the values it sends.
    associatedtype Output: Sendable
    /// The error type of the result.
    associatedtype OutputFailure: Error

    /// Receives a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - output: Sends events downstream. Valid only during the call.
    mutating func receive(_ value: Input, to output: inout OperatorOutput<Output, OutputFailure>)

    /// Receives the error of the source. Forwards it by default, if the result has the same error type.
    mutating func receiveError(_ error: InputFailure, to output: inout OperatorOutput<Output, OutputFailure>)

    /// Receives the completion of the source. Forwards it by default.
    mutating func receiveCompleted(to output: inout OperatorOutput<Output, OutputFailure>)

    /// Receives the interruption of the source. Forwards it by default.
    mutating func receiveInterrupted(to output: inout OperatorOutput<Output, OutputFailure>)
}

extension StreamOperator {
    /// Forwards the completion.
    @_alwaysEmitIntoClient
    public mutating func receiveCompleted(to output: inout OperatorOutput<Output, OutputFailure>) {
        output.sendCompleted()
    }

    /// Forwards the interruption.
    @_alwaysEmitIntoClient
    public mutating func receiveInterrupted(to output: inout OperatorOutput<Output, OutputFailure>) {
        output.sendInterrupted()
    }
}

extension StreamOperator where InputFailure == OutputFailure {
    /// Forwards the error.
    @_alwaysEmitIntoClient
    public mutating func receiveError(_ error: InputFailure, to output: inout OperatorOutput<Output, OutputFailure>) {
        output.sendError(error)
    }
}

extension StreamOperator where InputFailure == Never {
    /// Never called.
    @_alwaysEmitIntoClient
    public mutating func receiveError(_ error: InputFailure, to output: inout OperatorOutput<Output, OutputFailure>) {}
}

extension StreamOperator where InputFailure == Never, OutputFailure == Never {
    /// Never called.
    @_alwaysEmitIntoClient
    public mutating func receiveError(_ error: InputFailure, to output: inout OperatorOutput<Output, OutputFailure>) {}
}
