package import Testing

extension ExitTest.Result {
    /// The process's output on standard error.
    package var message: String { String(decoding: standardErrorContent, as: UTF8.self) }

    /// Expects that the process trapped with a message that begins with `text` and names the caller's file, not one of
    /// the library's.
    package func expectTrap(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let trap = message.split(separator: "\n").first { $0.contains(": Fatal error: \(text)") }
        #expect(trap != nil, "\(message)", sourceLocation: sourceLocation)
        #expect(trap?.hasPrefix("\(sourceLocation.fileID):") != false, "\(message)", sourceLocation: sourceLocation)
    }
}
