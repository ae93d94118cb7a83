// The names that other libraries use. `Renamed.swift` of HotSignals explains what is left out.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import ColdProducers
public import HotSignals
public import ReactiveProperties

@available(*, unavailable, renamed: "Property")
public typealias AnyProperty<Value: Sendable> = Property<Value>
@available(*, unavailable, renamed: "Property")
public typealias PropertyOf<Value: Sendable> = Property<Value>
@available(*, unavailable, renamed: "Property")
public typealias Driver<Value: Sendable> = Property<Value>
@available(*, unavailable, renamed: "PropertyProtocol")
public typealias PropertyType = PropertyProtocol
@available(*, unavailable, renamed: "MutableProperty")
public typealias BehaviorSubject<Value: Sendable> = MutableProperty<Value>
@available(*, unavailable, renamed: "MutableProperty")
public typealias BehaviorRelay<Value: Sendable> = MutableProperty<Value>
@available(*, unavailable, renamed: "MutableProperty")
public typealias CurrentValueSubject<Value: Sendable, Failure: Error> = MutableProperty<Value>
@available(*, unavailable, renamed: "MutableProperty")
public typealias Published<Value: Sendable> = MutableProperty<Value>

// A function, although the original is a type: only then can the compiler offer to write the label.
@available(*, unavailable, renamed: "Property.init(value:)")
public func ConstantProperty<Value: Sendable>(_ value: Value) -> Property<Value> { renamed() }

extension Property {
    @available(*, unavailable, renamed: "init(initial:then:)")
    public convenience init(initialValue: Value, producer: SignalProducer<Value, Never>) { renamed() }
    @available(*, unavailable, renamed: "init(initial:then:)")
    public convenience init(initialValue: Value, signal: Signal<Value, Never>) { renamed() }
}

extension MutableProperty {
    @available(*, unavailable, renamed: "init(_:)")
    public convenience init(value: Value) { renamed() }
    @available(*, unavailable, renamed: "setter:value(self:_:)")
    public func accept(_ value: Value) { renamed() }
    @available(*, unavailable, renamed: "setter:value(self:_:)")
    public func onNext(_ value: Value) { renamed() }
    @available(*, unavailable, renamed: "setter:value(self:_:)")
    public func send(_ value: Value) { renamed() }
}

extension PropertyProtocol {
    @available(*, unavailable, message: "has been replaced by 'producer.observe(on:)'") @_disfavoredOverload
    public func observe(on scheduler: some Scheduler) -> SignalProducer<Value, Never> { renamed() }
    // Without this, the compiler takes a closure for the scheduler above.
    @available(*, unavailable, message: "has been replaced by 'producer.startWithNext(_:)'") @_disfavoredOverload
    public func observe(_ action: @escaping @Sendable (Value) -> Void) { renamed() }
    @available(*, unavailable, message: "has been replaced by 'producer.startWithNext(_:)'")
    public func startWithNext(_ action: @escaping @Sendable (Value) -> Void) { renamed() }
    @available(*, unavailable, message: "has been replaced by 'signal.observeNext(_:)'")
    public func observeNext(_ action: @escaping @Sendable (Value) -> Void) { renamed() }
    @available(*, unavailable, message: "has been replaced by 'producer.startWithNext(_:)'")
    public func sink(receiveValue: @escaping @Sendable (Value) -> Void) { renamed() }
    @available(*, unavailable, message: "has been replaced by 'producer.startWithNext(_:)'")
    public func subscribe(onNext: @escaping @Sendable (Value) -> Void) { renamed() }
}
