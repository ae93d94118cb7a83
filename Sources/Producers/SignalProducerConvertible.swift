/// What can be started: a producer, or something that becomes one, as a signal does.
///
/// Operators such as ``SignalProducer/flatMap(_:_:)-2xi4h`` take whatever conforms.
public protocol SignalProducerConvertible<Value, Failure>: Sendable {
    /// What the producer sends.
    associatedtype Value: Sendable
    /// What the producer fails with, or `Never`.
    associatedtype Failure: Error

    /// This as a producer.
    var producer: SignalProducer<Value, Failure> { get }
}

extension SignalProducer {
    /// The producer of anything that becomes one: a signal, a property, a group.
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
