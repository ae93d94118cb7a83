// Limits, sharing and sources for servers. It depends on streams and state. Nothing of the core depends on it.
@_exported public import ReactiveProperties
