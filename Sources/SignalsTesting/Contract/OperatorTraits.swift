public import ReactiveSignals

/// How the streams fail on which an ``OperatorContract`` runs its checks.
public struct ContractError: Error, Hashable {
    /// An error. All are equal.
    public init() {}
}

/// What an operator does rightfully, so that an ``OperatorContract`` knows what to expect of it.
///
/// The checks send the numbers 1, 2, 3 and so on, sometimes from 0, and then each of the ways to end. What is not said here is not
/// expected: an operator without any traits keeps the contract whatever it makes of values, as long as it passes the ends on.
///
///     OperatorTraits(isTransparent: true)            // like map { $0 }
///     OperatorTraits(limit: 3)                       // like take(first: 3)
///     OperatorTraits(error: .completed)              // like materialize()
public struct OperatorTraits: Sendable {
    /// A way for a stream to end.
    public enum Terminal: CaseIterable, Hashable, Sendable {
        /// With an error.
        case error
        /// By an interruption.
        case interrupted
        /// With completion.
        case completed

        package var event: Event<Int, ContractError> {
            switch self {
            case .error: .error(ContractError())
            case .interrupted: .interrupted
            case .completed: .completed
            }
        }
    }

    /// Whether exactly the values of the source come out, in order. The most is checked of an operator for which this is true:
    /// have it made so that it passes everything on, if its arguments can bring this about.
    public var isTransparent: Bool
    /// Whether events may arrive later, or on another thread than their sender's.
    public var isAsynchronous: Bool
    /// What comes out when the source completes.
    public var completion: Event<Int, ContractError>
    /// What comes out when the source is interrupted.
    public var interruption: Event<Int, ContractError>
    /// What comes out when the source fails.
    public var error: Event<Int, ContractError>
    /// The number of values with which it completes by itself; nil if it goes on for as long as its source.
    public var limit: Int?
    /// The ends for which it calls closures that it was given: usually none, as closures see values.
    public var terminalsSeen: Set<Terminal>
    /// Whether it fails with the value 4.
    public var failsAtFour: Bool
    /// Whether no value at all may come out.
    public var maySendNothing: Bool
    /// Whether it leaves out values that are superseded before it comes to them.
    public var mayCoalesce: Bool
    /// Whether it returns the stream that it is applied to.
    public var isIdentity: Bool
    /// Whether its name does not say what it is applied to.
    public var isAnonymous: Bool
    /// Whether several starts of a producer share work or its results, as with `share`; each has its own otherwise.
    public var sharesStarts: Bool
    /// Whether it starts the source as soon as it is applied, as `replayEagerly` does.
    public var isEager: Bool
    /// Whether it goes through the whole of a source that sends in its start, even if no more than the first values are taken.
    public var exhaustsSource: Bool
    /// What the name of the result has in it; nil if that does not matter.
    public var printedName: String?
    /// A model of the operator: the values that come out, in order, when the source sends these and then completes.
    ///
    /// The surest way to find a value that is lost, at the end above all, and state that starts share. The checker
    /// sends many short sequences, and compares what comes out with what the model returns. Where ``mayCoalesce`` is
    /// true, some of the values may be missing. Nil if the values depend on something else, such as the time.
    ///
    ///     OperatorTraits(model: { $0.map { $0 * 2 } })                // like map { $0 * 2 }
    ///     OperatorTraits(limit: 3, model: { Array($0.prefix(3)) })    // like take(first: 3)
    public var model: (@Sendable ([Int]) -> [Int])?

    /// The traits of an operator.
    public init(
        isTransparent: Bool = false, isAsynchronous: Bool = false,
        completion: Event<Int, ContractError> = .completed, interruption: Event<Int, ContractError> = .interrupted,
        error: Event<Int, ContractError> = .error(ContractError()), limit: Int? = nil,
        terminalsSeen: Set<Terminal> = [], failsAtFour: Bool = false, maySendNothing: Bool = false,
        mayCoalesce: Bool = false, isIdentity: Bool = false, isAnonymous: Bool = false, sharesStarts: Bool = false,
        isEager: Bool = false,
        exhaustsSource: Bool = false, printedName: String? = nil, model: (@Sendable ([Int]) -> [Int])? = nil
    ) {
        self.isTransparent = isTransparent
        self.isAsynchronous = isAsynchronous
        self.completion = completion
        self.interruption = interruption
        self.error = error
        self.limit = limit
        self.terminalsSeen = terminalsSeen
        self.failsAtFour = failsAtFour
        self.maySendNothing = maySendNothing
        self.mayCoalesce = mayCoalesce
        self.isIdentity = isIdentity
        self.isAnonymous = isAnonymous
        self.sharesStarts = sharesStarts
        self.isEager = isEager
        self.exhaustsSource = exhaustsSource
        self.printedName = printedName
        self.model = model
    }

    /// What it ends with where the value 4 is sent, and then completion.
    var endAfterFour: Event<Int, ContractError> { failsAtFour ? .error(ContractError()) : completion }

    /// What comes out of an end of the source.
    func outcome(of terminal: Terminal) -> Event<Int, ContractError> {
        switch terminal {
        case .error: error
        case .interrupted: interruption
        case .completed: completion
        }
    }
}
