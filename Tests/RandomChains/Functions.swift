import ReactiveSignals
import ReactiveSignalsTesting

// What a user of a chain would write; called by both the chain and its model.

struct ChainError: Error, Equatable, CustomStringConvertible {
    var code: Int

    var description: String { "E\(code)" }
}

typealias IntSignal = Signal<Int, ChainError>
typealias IntProducer = SignalProducer<Int, ChainError>
typealias IntChain = HotOrCold<Int, ChainError>
typealias ChainEvent = Event<Int, ChainError>

/// The nonnegative remainder.
func rest(_ value: Int, _ modulus: Int) -> Int { (value % modulus + modulus) % modulus }

func isMultiple(_ value: Int, _ modulus: Int) -> Bool { value % modulus == 0 }

/// Two values, combined into one.
func pair(_ first: Int, _ second: Int) -> Int { rest(first &* 13 &+ second, 1_009) }

/// An array, digested into one value.
func digest(_ values: [Int]) -> Int { values.reduce(values.count, pair) }

/// An event, encoded as one value.
func digest(_ event: ChainEvent) -> Int {
    switch event {
    case .next(let value): value
    case .error(let error): 1_010 + error.code
    case .completed: 1_020
    case .interrupted: 1_030
    }
}

func digest(_ result: Result<Int, ChainError>) -> Int {
    switch result {
    case .success(let value): digest(.next(value))
    case .failure(let error): digest(.error(error))
    }
}

/// The event that a value encodes: a terminal one for multiples.
func event(_ value: Int, _ modulus: Int) -> ChainEvent {
    guard isMultiple(value, modulus) else { return .next(value) }
    return [.completed, .interrupted, .error(ChainError(code: 7))][rest(value / modulus, 3)]
}

func result(_ value: Int, _ modulus: Int) -> Result<Int, ChainError> {
    isMultiple(value, modulus) ? .failure(ChainError(code: 8)) : .success(value)
}

/// A value, expanded into a few others.
func parts(_ value: Int, _ count: Int) -> [Int] { (0..<rest(value, count)).map { value &+ $0 } }

/// The value, or an error for multiples.
func check(_ value: Int, _ modulus: Int) throws(ChainError) -> Int {
    if isMultiple(value, modulus) { throw ChainError(code: 9) }
    return rest(value &+ 1, 1_009)
}
