/// The reason that a start of an ``Action`` failed.
@frozen
public enum ActionError<Failure: Error>: Error {
    /// The action was disabled, so no work was done: for now, or for good if ``Action/isDraining`` is true.
    case disabled
    /// The work failed.
    case producerError(Failure)
}

extension ActionError: Equatable where Failure: Equatable {}

extension ActionError: Hashable where Failure: Hashable {}
