package import ReactiveSignals
package import ReactiveSignalsTesting

extension Event where Value == Int, Failure == TestError {
    /// What a diagram says: a digit is a value, `|` the completion, `X` an error, `!` an interruption, all else nothing.
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

/// The event and the second at which it comes, and whether it comes elsewhere than on the scheduler.
///
/// - Parameter beginning: The second from which to count.
package func when<Value>(
    _ event: Event<Value, TestError>, _ scheduler: TestScheduler, since beginning: Int = 0
) -> String {
    let place = CurrentScheduler.value === scheduler ? "" : ", on its sender's thread"
    return "\(event.text) at \(scheduler.now.offset.components.seconds - Int64(beginning))\(place)"
}
