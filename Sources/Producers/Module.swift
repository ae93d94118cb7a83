// Cold streams. This module depends only on the hot signals, and on the lazy sequences, of which it makes producers.
@_exported public import HotSignals
@_exported public import MemoizedSequences
