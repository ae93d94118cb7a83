// The second layer: cold streams. It sees the hot signals below it and nothing above.
@_exported public import HotSignals
