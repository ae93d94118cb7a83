#if Explore
import ReactiveSignalsTesting

/// What an observer has been given, and whether it came as it must.
typealias Recorder = ExploredRecorder
#endif
