import ExamplesKit
import ReactiveSignals

/// Standard output, and what went wrong with it.
final class Output: Sendable {
    private let firstFailure = Locked<VitalsError?>(nil)

    /// The first failure.
    ///
    /// After it nothing is written any more.
    var failure: VitalsError? { firstFailure.withLock { $0 } }

    func write(_ text: String) throws(VitalsError) {
        if let failure { throw failure }
        do {
            try System.put(text, to: System.standardOutput)
        } catch {
            let failure = error.isClosedPipe ? VitalsError.unread : .output(reason: error.description)
            firstFailure.withLock { $0 = $0 ?? failure }
            throw failure
        }
    }

    /// A line for the user who watches.
    ///
    /// If even this cannot be written, nobody is there to be told.
    static func tell(_ line: String) {
        try? System.put(line + "\n", to: System.standardError)
    }
}
