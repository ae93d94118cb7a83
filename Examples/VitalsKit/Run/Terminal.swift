import ExamplesKit
import ReactiveSignals

/// The terminal while the dashboard has it: the alternate screen, no cursor, no echo of what is typed.
final class Terminal: Sendable {
    /// What the user types, usually one key at a time. Keys such as the arrows are several bytes, the first one Escape.
    let typed: Signal<[UInt8], Never>

    private let typedInput: Signal<[UInt8], Never>.Observer
    private let output: Output
    private let colored: Bool
    private let state = Locked(State())
    private let reading = SerialDisposable()

    private struct State {
        var isEntered = false
        var restoreKeyboard: (@Sendable () -> Void)?
        var drawnSize: TerminalSize?
    }

    init(output: Output) {
        self.output = output
        (typed, typedInput) = Signal.pipe()
        colored = (System.environment("NO_COLOR") ?? "").isEmpty
    }

    func enter() throws(VitalsError) {
        let hasKeyboard = state.withLock { state in
            state.isEntered = true
            state.restoreKeyboard = System.silenceKeyboard()
            return state.restoreKeyboard != nil
        }
        if hasKeyboard { reading.inner = readKeyboard() }
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
        reading.inner = nil
        // Without the terminal there is nothing to restore, and its failure has been noted.
        if wasEntered { try? output.write("\u{1B}[?25h\u{1B}[?1049l") }
    }

    /// Starts sending what is typed.
    private func readKeyboard() -> any Disposable {
        SignalProducer.readable(fileDescriptor: System.standardInput)
            .map { [weak self] _ in self?.read() }
            .take(while: { $0 != nil })
            .skipNil()
            .flatMapError { _ in SignalProducer<[UInt8], Never>.empty }
            .startWithNext { [typedInput] bytes in typedInput.sendNext(bytes) }
    }

    /// What has been typed. Nil if it is not for the dashboard: after ``leave()``, or in the background, it is for the
    /// shell.
    private func read() -> [UInt8]? {
        // Under the lock, so that the shell has the terminal either before this or after it.
        state.withLock { $0.isEntered && System.isInForeground ? System.typedBytes() : nil }
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
