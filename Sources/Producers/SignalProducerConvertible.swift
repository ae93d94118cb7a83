/// A type that can be converted to a producer, such as a signal, a property or a producer itself.
///
/// Operators such as ``SignalProducer/flatMap(_:raising:_:)-3h0h0`` accept any conforming type.
public protocol SignalProducerConvertible<Value, Failure>: Sendable {
    /// The type of the values that the producer sends.
    associatedtype Value: Sendable
    /// The error type of the producer, or `Never`.
    associatedtype Failure: Error

    /// The producer.
    var producer: SignalProducer<Value, Failure> { get }
}

extension SignalProducer {
    /// Creates the producer of a signal, a property, a group or any other convertible type.
    @_disfavoredOverload  // Tried last: accepts what no other initializer does.
    @inlinable
    public init(_ convertible: some SignalProducerConvertible<Value, Failure>) { self = convertible.producer }
}

extension SignalProducer: SignalProducerConvertible {
    /// The producer itself.
    @_alwaysEmitIntoClient
    public var producer: SignalProducer { self }
}

extension Signal: SignalProducerConvertible {
    /// A producer that observes the signal at each start: see ``SignalProducer/init(_:)-(Signal<Value,Failure>)``.
    @_alwaysEmitIntoClient
    public var producer: SignalProducer<Value, Failure> { SignalProducer(self) }
}

extension Result where Success: Sendable {
    /// A producer of the value or the error.
    ///
    /// A result does not conform to ``SignalProducerConvertible``, because the compiler does not allow a conformance
    /// that depends on a conformance to `Sendable`. Use the overload of `flatMap` for closures that return a result.
    @_alwaysEmitIntoClient
    public var producer: SignalProducer<Success, Failure> { SignalProducer(result: self) }
}
