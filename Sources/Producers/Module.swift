// The second layer: cold streams. It depends only on the layer below it, the hot signals.
@_exported public import HotSignals
