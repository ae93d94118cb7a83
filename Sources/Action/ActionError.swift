/// The reason that a start of an ``Action`` failed.
@frozen
public enum ActionError<Failure: Error>: Error {
    /// The action was disabled, so no work was done.
    case disabled
    /// The work failed.
    case producerError(Failure)
}

extension ActionError: Equatable where Failure: Equatable {}

extension ActionError: Hashable where Failure: Hashable {}
