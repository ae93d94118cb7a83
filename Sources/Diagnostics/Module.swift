// Looks at what is alive in the process. The core knows of it only what `GraphHook` says.
@_exported public import HotSignals
