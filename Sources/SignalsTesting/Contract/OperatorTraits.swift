public import ReactiveSignals

/// The error of the streams that an ``OperatorContract`` uses as input.
public struct ContractError: Error, Hashable {
    /// Creates an error. All errors are equal.
    public init() {}
}

/// What an operator does on purpose, so that an ``OperatorContract`` knows what to expect.
///
/// The checks send the numbers 1, 2, 3 and so on, sometimes from 0, and then each terminal event. They expect only what
/// the traits state: an operator without traits keeps the contract whatever it does with values, as long as it forwards
/// the terminal events.
///
/// ```swift
/// OperatorTraits(isTransparent: true)            // like map { $0 }
/// OperatorTraits(limit: 3)                       // like take(first: 3)
/// OperatorTraits(error: .completed)              // like materialize()
/// ```
public struct OperatorTraits: Sendable {
    /// A terminal event.
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

    /// Whether it sends exactly the values of its source, in order. This enables the most checks: if the arguments of
    /// your operator allow it, configure it to pass every value.
    public var isTransparent: Bool
    /// Whether events can arrive later, or on another thread than the sender's.
    public var isAsynchronous: Bool
    /// What it sends when the source completes.
    public var completion: Event<Int, ContractError>
    /// What it sends when the source is interrupted.
    public var interruption: Event<Int, ContractError>
    /// What it sends when the source fails.
    public var error: Event<Int, ContractError>
    /// The number of values after which it completes by itself, or `nil` if it continues as long as its source.
    public var limit: Int?
    /// The terminal events for which it calls its closures. Usually empty, because closures receive values.
    public var terminalsSeen: Set<Terminal>
    /// Whether it fails at the value 4.
    public var failsAtFour: Bool
    /// Whether it may send no value at all.
    public var maySendNothing: Bool
    /// Whether it may skip values that newer ones replace.
    public var mayCoalesce: Bool
    /// Whether it returns the stream that it is applied to.
    public var isIdentity: Bool
    /// Whether its name does not state what it is applied to.
    public var isAnonymous: Bool
    /// Whether starts of a producer share work or results, as with `share`.
    public var sharesStarts: Bool
    /// Whether it starts the source when it is applied, as `replayEagerly` does.
    public var isEager: Bool
    /// Whether it consumes a synchronous source completely, even if only the first values are taken.
    public var exhaustsSource: Bool
    /// Whether the source goes on after a disposal, as with `uninterruptible`.
    package var outlivesDisposal = false
    /// A text that the name of the result contains, or `nil` for any name.
    public var printedName: String?
    /// A model of the operator: returns the values it sends, in order, if the source sends the given values and then
    /// completes.
    ///
    /// A model is the best way to find lost values, particularly at the end, and state that starts share by mistake.
    /// The checks send many short sequences, and compare the results with the model. If ``mayCoalesce`` is true, some
    /// of the values can be missing. Use `nil` if the values depend on something else, such as the time.
    ///
    /// ```swift
    /// OperatorTraits(model: { $0.map { $0 * 2 } })                // like map { $0 * 2 }
    /// OperatorTraits(limit: 3, model: { Array($0.prefix(3)) })    // like take(first: 3)
    /// ```
    public var model: (@Sendable ([Int]) -> [Int])?

    /// Creates the traits of an operator.
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

    /// The terminal event of the result if the source sends the value 4 and then completes.
    var endAfterFour: Event<Int, ContractError> { failsAtFour ? .error(ContractError()) : completion }

    /// The terminal event of the result for a terminal event of the source.
    func outcome(of terminal: Terminal) -> Event<Int, ContractError> {
        switch terminal {
        case .error: error
        case .interrupted: interruption
        case .completed: completion
        }
    }
}
