import ExamplesKit
import ReactiveSignals

/// A line on the terminal that is drawn over again and again, and gone in the end.
final class ProgressBar: Sendable {
    private let state = Locked(State.nothing)

    private enum State {
        case nothing, drawn, finished
    }

    /// Nil unless standard error is a terminal that can do more than print.
    init?() {
        guard System.isTerminal(System.standardError), System.environment("TERM") != "dumb" else { return nil }
    }

    func draw(handled: Int, found: Int) {
        state.withLock { state in
            guard state != .finished else { return }
            state = .drawn
            let size = System.terminalSize(of: System.standardError) ?? .standard
            write("\r" + Self.text(handled: handled, found: found, columns: size.columns) + "\u{1B}[K")
        }
    }

    /// Takes the line away. Nothing is drawn any more.
    func finish() {
        state.withLock { state in
            if state == .drawn { write("\r\u{1B}[K") }
            state = .finished
        }
    }

    /// The bar is a third of the line, if there is room for it.
    static func text(handled: Int, found: Int, columns: Int) -> String {
        let share = found > 0 ? Double(handled) / Double(found) : 0
        let numbers = "\(handled) of \(Format.count(found, "file")), \(Format.fixed(share * 100, decimals: 0))%"
        let width = columns / 3
        let done = Int(share * Double(width))
        let bar = "[" + String(repeating: "#", count: done) + String(repeating: "-", count: width - done) + "] "
        // The last column stays free, since a terminal may go to the next line after it.
        let room = max(0, columns - 1)
        return String((bar.count + numbers.count <= room ? bar + numbers : numbers).prefix(room))
    }

    // Without it nothing is lost but a sight.
    private func write(_ text: String) { try? System.put(text, to: System.standardError) }
}
