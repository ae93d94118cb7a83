import ExamplesKit

/// A value in a JSON text, and where in the text it begins.
struct JSONNode: Sendable, Equatable {
    indirect enum Content: Sendable, Equatable {
        case null
        case boolean(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        /// All members in the order of the text, also those with the same name.
        case object([Member])
    }

    struct Member: Sendable, Equatable {
        let name: String
        /// Of the name.
        let offset: Int
        let value: JSONNode
    }

    let content: Content
    /// In bytes from the beginning of the text.
    let offset: Int
}

extension JSONNode {
    /// What is there, for a message about what should be there instead.
    var found: String {
        switch content {
        case .null: "null"
        case .boolean(let value): String(value)
        case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
        case .string(let string): "the string \"\(string.shortened.printable)\""
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension String {
    /// The beginning of a text that may be too long for a message.
    var shortened: String { count <= 40 ? self : prefix(40) + "..." }
}
