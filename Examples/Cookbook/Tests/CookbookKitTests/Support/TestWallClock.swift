import Foundation
import ReactiveSignals
import ReactiveSignalsTesting

/// A wall clock that runs with the virtual time, until the test sets it.
struct TestWallClock: Sendable {
    private let scheduler: TestScheduler
    private let beginning: Date
    private let adjustment = MutableProperty(Duration.zero)

    /// - Parameter start: For example `2026-01-31T12:00:00Z`.
    init(_ start: String, on scheduler: TestScheduler) throws {
        beginning = try Date(start, strategy: .iso8601)
        self.scheduler = scheduler
    }

    var now: Date {
        beginning.addingTimeInterval(
            (scheduler.now.offset + adjustment.value) / .seconds(1))
    }

    /// Changes what the wall clock shows. The virtual time stays as it is.
    func jump(by duration: Duration) { adjustment.modify { $0 += duration } }
}
