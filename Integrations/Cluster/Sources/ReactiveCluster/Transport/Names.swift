/// The address of messages, such as `prices.eur`: parts of printable characters, separated by dots, without wildcards.
public struct Subject: Sendable, Hashable, CustomStringConvertible {
    /// The text of the subject.
    public let description: String

    /// Creates a subject.
    ///
    /// - Throws: ``TransportError/invalidName(_:reason:)`` if the text is empty or longer than 255 bytes, has an empty
    ///   part, a space, a control character or a wildcard, or begins with `$`, which the server keeps for itself.
    public init(_ text: String) throws(TransportError) {
        try check(text, limit: 255)
        if text.utf8.first == UInt8(ascii: "$") {
            throw .invalidName(text, reason: "subjects that begin with $ belong to the server")
        }
        for byte in text.utf8 where byte <= 0x20 || byte == 0x7F {
            throw .invalidName(text, reason: "it has a space or a control character")
        }
        for byte in text.utf8 where byte == UInt8(ascii: "*") || byte == UInt8(ascii: ">") {
            throw .invalidName(text, reason: "it has a wildcard")
        }
        guard hasNoEmptyPart(text) else { throw .invalidName(text, reason: "a part between dots is empty") }
        description = text
    }
}

/// The name of a stream, a bucket or a queue: letters, digits, `-` and `_`.
public struct ResourceName: Sendable, Hashable, CustomStringConvertible {
    /// The text of the name.
    public let description: String

    /// Creates a name.
    ///
    /// - Throws: ``TransportError/invalidName(_:reason:)`` if the text is empty, longer than 128 bytes, or has other
    ///   characters than ASCII letters, digits, `-` and `_`.
    public init(_ text: String) throws(TransportError) {
        try check(text, limit: 128)
        for byte in text.utf8 where !isWord(byte) {
            throw .invalidName(text, reason: "only letters, digits, - and _ are allowed")
        }
        description = text
    }

    /// - Parameter text: A valid name.
    init(unchecked text: String) { description = text }
}

/// A key in a bucket: letters, digits, `-`, `_`, `/`, `=` and dots between parts.
public struct BucketKey: Sendable, Hashable, CustomStringConvertible {
    /// The text of the key.
    public let description: String

    /// Creates a key.
    ///
    /// - Throws: ``TransportError/invalidName(_:reason:)`` if the text is empty, longer than 255 bytes, has an empty
    ///   part between dots, or other characters.
    public init(_ text: String) throws(TransportError) {
        try check(text, limit: 255)
        for byte in text.utf8
        where !isWord(byte) && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "=") && byte != UInt8(ascii: ".") {
            throw .invalidName(text, reason: "only letters, digits, - _ / = and dots are allowed")
        }
        guard hasNoEmptyPart(text) else { throw .invalidName(text, reason: "a part between dots is empty") }
        description = text
    }
}

private func check(_ text: String, limit: Int) throws(TransportError) {
    if text.isEmpty { throw .invalidName(text, reason: "it is empty") }
    if text.utf8.count > limit { throw .invalidName(text, reason: "it is longer than \(limit) bytes") }
}

private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
    default: false
    }
}

private func hasNoEmptyPart(_ text: String) -> Bool {
    !text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).contains { $0.isEmpty }
}
