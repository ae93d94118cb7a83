// The fourth layer: commands. It sees the three below it.
@_exported public import ReactiveProperties
