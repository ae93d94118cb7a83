import ExamplesKit
import ReactiveSignals

/// The terminal while the dashboard has it: the alternate screen, no cursor, no echo of what is typed.
final class Terminal: Sendable {
    private let output: Output
    private let colored: Bool
    private let state = Locked(State())

    private struct State {
        var isEntered = false
        var restoreKeyboard: (@Sendable () -> Void)?
        var drawnSize: TerminalSize?
    }

    init(output: Output) {
        self.output = output
        colored = (System.environment("NO_COLOR") ?? "").isEmpty
    }

    func enter() throws(VitalsError) {
        state.withLock { state in
            state.isEntered = true
            state.restoreKeyboard = System.silenceKeyboard()
        }
        try output.write("\u{1B}[?1049h\u{1B}[?25l")
    }

    /// Gives the terminal back as it was.
    ///
    /// Does nothing the second time, so every way out may call it.
    func leave() {
        let wasEntered = state.withLock { state in
            defer { state = State() }
            if state.isEntered { state.restoreKeyboard?() }
            return state.isEntered
        }
        // Without the terminal there is nothing to restore, and its failure has been noted.
        if wasEntered { try? output.write("\u{1B}[?25h\u{1B}[?1049l") }
    }

    /// Draws in a single write, so that no half a screen is ever seen.
    func draw(_ lines: [StyledLine], size: TerminalSize) throws(VitalsError) {
        let isNewSize = state.withLock { state in
            defer { state.drawnSize = size }
            return state.drawnSize != size
        }
        // Every line covers the whole width; only a new size can leave something that no line covers.
        let begin = isNewSize ? "\u{1B}[2J\u{1B}[H" : "\u{1B}[H"
        try output.write(begin + lines.map { $0.encoded(colored: colored) }.joined(separator: "\n"))
    }
}
