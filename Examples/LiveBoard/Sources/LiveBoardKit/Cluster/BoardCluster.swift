package import ReactiveSignals

/// The boards of several processes, which share one log of events.
package protocol BoardCluster: Sendable {
    /// The number of the last event in the log.
    func lastSequence() async throws(ClusterProblem) -> Int

    /// The number of the last event in the log, as a majority of its servers knows it. A server that is cut off from
    /// the others does not answer.
    ///
    /// - Parameter event: Any event of the log.
    func confirmedSequence(probing event: BoardEvent) async throws(ClusterProblem) -> Int

    /// Appends an event, and returns when the log has it.
    ///
    /// - Throws: ``ClusterProblem/outdated`` if the log has another event with this number, or a later one.
    func append(_ event: BoardEvent) async throws(ClusterProblem)

    /// An event of the log.
    func event(_ sequence: Int) async throws -> BoardEvent?

    /// Calls `take` with the events of the log after a sequence, and then with the new ones, in order, until the task
    /// is cancelled. Reads no further while `take` runs.
    ///
    /// - Throws: ``ClusterProblem/unusable(_:)``, or an error of `take`.
    func follow(after sequence: Int, _ take: (BoardEvent) async throws -> Void) async throws

    /// The number of people who look at any of the boards.
    var watchers: Property<Int> { get }

    /// Tells the other boards how many people look at this one.
    func show(watchers: Int)

    /// Tells the other boards that this one closes, and closes the connection.
    func close() async
}

/// Why the log of the cluster cannot be used.
package enum ClusterProblem: Error, Equatable, CustomStringConvertible {
    /// Another board has appended an event first.
    case outdated
    /// The servers have not acknowledged the event. It may still be in the log.
    case unacknowledged(String)
    /// The log cannot be used any more, for example because it was deleted.
    case unusable(String)

    package var description: String {
        switch self {
        case .outdated: "another board has appended an event first"
        case .unacknowledged(let reason): "the servers of the cluster have not acknowledged an event: \(reason)"
        case .unusable(let reason): "cannot use the log of the cluster: \(reason)"
        }
    }
}
