#if Explore
import ReactiveSignalsTesting

/// Records the events of an observer, and checks that they arrive correctly.
typealias Recorder = ExploredRecorder
#endif
