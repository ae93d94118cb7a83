public import ColdProducers
public import HotSignals

/// A type that can be on the right side of `<~`: a stream that cannot fail.
public protocol BindingSource<Value>: SignalProducerConvertible where Failure == Never {}

extension Signal: BindingSource where Failure == Never {}

extension SignalProducer: BindingSource where Failure == Never {}

extension Property: BindingSource {}

extension MutableProperty: BindingSource {}
