// The fourth layer: async code that takes values of streams and state. The three layers below know nothing of it.
@_exported public import ReactiveProperties
