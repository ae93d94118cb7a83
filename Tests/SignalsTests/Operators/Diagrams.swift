import ReactiveSignals
import TestSupport

// Plays the diagrams in the documentation of the operators with two inputs.

/// Plays two diagrams, one column at a time, and draws the output: a word is a value, `|` the completion.
///
/// For events in the same column, the second input sends first, because the operators observe it first.
func played<Value>(
    _ source: String, _ other: String,
    _ transform: (Signal<String, Never>, Signal<String, Never>) -> Signal<Value, Never>,
    drawing draw: @escaping @Sendable (Value) -> String
) -> String {
    let inputs = [Signal<String, Never>.pipe(), Signal<String, Never>.pipe()]
    let drawn = Log<String>()
    let column = Log<Void>()
    transform(inputs[0].output, inputs[1].output).observe { event in
        let gap = column.count - drawn.all.joined().count
        drawn.append(String(repeating: "-", count: max(0, gap)) + (event.value.map(draw) ?? mark(event)))
    }
    let marks = [marks(of: source), marks(of: other)]
    for position in 0..<max(source.count, other.count) {
        for index in [1, 0] {
            guard let word = marks[index][position] else { continue }
            if word == "|" { inputs[index].input.sendCompleted() } else { inputs[index].input.sendNext(word) }
        }
        column.append(())
    }
    let result = drawn.all.joined()
    // Otherwise the release of an input would interrupt.
    withExtendedLifetime(inputs) {}
    return result
}

private func mark<Value>(_ event: Event<Value, Never>) -> String { event.isCompleted ? "|" : "!" }

/// The words, keyed by column.
private func marks(of diagram: String) -> [Int: String] {
    var words: [Int: String] = [:]
    var begin: Int?
    for (column, character) in diagram.enumerated() {
        if character == "-" || character == "|" {
            begin = nil
            if character == "|" { words[column] = "|" }
        } else {
            let first = begin ?? column
            begin = first
            words[first, default: ""].append(character)
        }
    }
    return words
}
