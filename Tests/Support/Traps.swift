package import Testing

extension ExitTest.Result {
    /// The process's output on standard error.
    package var message: String { String(decoding: standardErrorContent, as: UTF8.self) }

    /// Expects that the process trapped with a message that begins with `text` and names no file but the
    /// caller's, which traps of the test kit name.
    package func expectTrap(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let places = ["ReactiveSignals:", "\(sourceLocation.fileID):"]
        let isThere = message.split(separator: "\n").contains { line in
            line.contains(": Fatal error: \(text)") && places.contains { line.hasPrefix($0) }
        }
        #expect(isThere, "\(message)", sourceLocation: sourceLocation)
    }
}
