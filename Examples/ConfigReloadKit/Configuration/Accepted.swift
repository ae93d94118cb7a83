/// A file that may come into force.
struct Accepted: Sendable, Equatable {
    let contents: Contents
    let configuration: Configuration
    let warnings: [Problem]
}

extension Accepted {
    /// What the file means: all of it, or why nothing.
    init(_ contents: Contents) throws(Rejection) {
        let bytes: [UInt8]
        switch contents {
        case .bytes(let read): bytes = read
        case .unreadable(let reason, _):
            throw Rejection(contents: contents, problems: [Problem(reason: "cannot read it: \(reason)")])
        }
        var document: Document
        do {
            document = try Document(bytes)
        } catch {
            let position = TextPosition(of: error.offset, in: bytes)
            throw Rejection(contents: contents, problems: [Problem(position: position, reason: error.reason)])
        }
        let draft = Draft()
        draft.fill(from: &document)
        guard let configuration = draft.configuration, !document.hasErrors else {
            throw Rejection(contents: contents, problems: document.problems)
        }
        self.init(contents: contents, configuration: configuration, warnings: document.problems)
    }
}
