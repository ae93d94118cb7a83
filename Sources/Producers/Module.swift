// Cold streams. This module depends only on the hot signals.
@_exported public import HotSignals
