public import ColdProducers
public import HotSignals

/// What can stand on the right of `<~`: a stream that cannot fail.
public protocol BindingSource<Value>: SignalProducerConvertible where Failure == Never {}

extension Signal: BindingSource where Failure == Never {}

extension SignalProducer: BindingSource where Failure == Never {}

extension Property: BindingSource {}

extension MutableProperty: BindingSource {}
