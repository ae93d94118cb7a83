/// A type that can be converted to a producer, such as a signal, a property or a producer itself.
///
/// Operators such as ``SignalProducer/flatMap(_:_:)-2xi4h`` accept any conforming type.
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
    @_disfavoredOverload  // Tried last: it takes what no other initializer does.
    @inlinable
    public init(_ convertible: some SignalProducerConvertible<Value, Failure>) { self = convertible.producer }
}

extension SignalProducer: SignalProducerConvertible {
    /// The producer itself.
    @inlinable
    public var producer: SignalProducer { self }
}

extension Signal: SignalProducerConvertible {
    /// A producer whose start observes the signal: see ``SignalProducer/init(_:)-(Signal<Value,Failure>)``.
    @inlinable
    public var producer: SignalProducer<Value, Failure> { SignalProducer(self) }
}

extension Result where Success: Sendable {
    /// A producer of the value, or of the error.
    ///
    /// A result does not conform to ``SignalProducerConvertible``, for the compiler lets no conformance depend on one to
    /// `Sendable`; `flatMap` has a form for closures that return one.
    @inlinable
    public var producer: SignalProducer<Success, Failure> { SignalProducer(result: self) }
}
