package import Testing

extension ExitTest.Result {
    /// What the process wrote to its standard error.
    package var message: String { String(decoding: standardErrorContent, as: UTF8.self) }

    /// Expects that the process trapped with a message that begins with `text`, and that it named the file of the caller,
    /// who made the mistake, instead of one of the library's.
    package func expectTrap(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let trap = message.split(separator: "\n").first { $0.contains(": Fatal error: \(text)") }
        #expect(trap != nil, "\(message)", sourceLocation: sourceLocation)
        #expect(trap?.hasPrefix("\(sourceLocation.fileID):") != false, "\(message)", sourceLocation: sourceLocation)
    }
}
