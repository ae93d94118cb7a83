import ExamplesKit
import ReactiveSignals

/// Where a program's lines go.
final class Output: Sendable {
    private let failure: @Sendable (System.Failure) -> Void
    private let hasEnded = Locked(false)

    /// - Parameter failure: Called once, if standard output cannot be written; nothing is written any more then.
    init(failure: @escaping @Sendable (System.Failure) -> Void) { self.failure = failure }

    func write(_ line: String) {
        guard !hasEnded.withLock({ $0 }) else { return }
        do {
            try System.put(line + "\n", to: System.standardOutput)
        } catch {
            if end() { failure(error) }
        }
    }

    /// Writes the last line.
    func finish(_ line: String) {
        write(line)
        _ = end()
    }

    /// Whether it had not ended before.
    private func end() -> Bool {
        hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
    }

    /// If even this cannot be written, nobody is there to be told.
    static func tell(_ line: String) { try? System.put(line + "\n", to: System.standardError) }
}
