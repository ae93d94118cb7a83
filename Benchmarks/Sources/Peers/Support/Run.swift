/// Runs a workload that has been set up, the given number of times, and returns when the last has been handled.
public typealias Run = (_ count: Int) -> Void

/// Sets a workload up.
public typealias Prepare = @Sendable () -> Run
