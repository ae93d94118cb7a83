package import ReactiveSignals
package import ReactiveSignalsTesting

extension Event where Value == Int, Failure == TestError {
    /// The event for a diagram's mark: a digit is a value, `|` the completion, `X` an error, `!` an interruption. Nil
    /// for other marks.
    package init?(mark: Character) {
        switch mark {
        case "|": self = .completed
        case "X": self = .error(.first)
        case "!": self = .interrupted
        default:
            guard let value = mark.wholeNumberValue else { return nil }
            self = .next(value)
        }
    }
}

/// The event with the second at which it arrives, and a note if it does not arrive on the scheduler.
///
/// - Parameter beginning: The second to count from.
package func when<Value>(
    _ event: Event<Value, TestError>, _ scheduler: TestScheduler, since beginning: Int = 0
) -> String {
    let place = CurrentScheduler.value === scheduler ? "" : ", on its sender's thread"
    return "\(event.text) at \(scheduler.now.offset.components.seconds - Int64(beginning))\(place)"
}
