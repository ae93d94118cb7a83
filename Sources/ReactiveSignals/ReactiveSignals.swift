// What a user imports: the five modules of the core under one name.
@_exported public import ColdProducers
@_exported public import HotSignals
@_exported public import ReactiveActions
@_exported public import ReactiveAsync
@_exported public import ReactiveProperties
