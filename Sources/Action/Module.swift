// The fourth layer: commands. It depends on the three layers below.
@_exported public import ReactiveProperties
