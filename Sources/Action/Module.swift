// The fifth layer: commands. It depends on the layers below, and on that of async code only for `drain()`.
@_exported public import ReactiveProperties
