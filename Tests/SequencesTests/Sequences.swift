import MemoizedSequences
import ReactiveSignals
import TestSupport

/// The integers from `first` on, each created by separate closures.
@Sendable
func numbers(from first: Int) -> MemoizedSequence<Int> {
    MemoizedSequence(head: { first }, tail: { numbers(from: first + 1) })
}

/// All sequences of up to three elements over an alphabet of two.
let smallSequences: [[Int]] = {
    var result: [[Int]] = [[]]
    for length in 1...3 {
        result += result.filter { $0.count == length - 1 }.flatMap { [$0 + [1], $0 + [2]] }
    }
    return result
}()
