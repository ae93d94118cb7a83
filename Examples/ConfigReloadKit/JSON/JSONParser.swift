import ExamplesKit

/// Reads a JSON text, strictly as RFC 8259 has it.
///
/// Foundation could do that, but not say where a value stands, nor, on Linux, where a text breaks off; and it passes
/// over commas too many and over names that are given twice.
struct JSONParser {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// Deeper ones are errors, as each level takes room on the stack.
    static let deepestNesting = 100

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONNode {
        if let offset = firstByteThatIsNotUTF8(bytes) {
            throw JSONError(reason: "the text is not valid UTF-8 from here on", offset: offset)
        }
        var parser = JSONParser(bytes: bytes)
        if bytes.starts(with: byteOrderMark) { parser.offset = byteOrderMark.count }
        parser.skipSpace()
        if parser.next == nil {
            throw JSONError(reason: "expected a value, but the text is empty", offset: parser.offset)
        }
        let node = try parser.value()
        parser.skipSpace()
        if parser.next != nil { throw parser.expected("the end of the text") }
        return node
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static func firstByteThatIsNotUTF8(_ bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
        return offset
    }

    // MARK: Values

    private mutating func value() throws(JSONError) -> JSONNode {
        let start = offset
        let content: JSONNode.Content =
            switch next {
            case UInt8(ascii: "{"): .object(try nested { parser throws(JSONError) in try parser.members() })
            case UInt8(ascii: "["): .array(try nested { parser throws(JSONError) in try parser.elements() })
            case UInt8(ascii: "\""): .string(try string())
            case UInt8(ascii: "-"): .number(try number())
            case _ where isAtDigit: .number(try number())
            default: try literal()
            }
        return JSONNode(content: content, offset: start)
    }

    private mutating func nested<Content>(
        _ body: (inout JSONParser) throws(JSONError) -> Content
    ) throws(JSONError) -> Content {
        guard depth < Self.deepestNesting else {
            throw JSONError(reason: "more than \(Self.deepestNesting) nested values", offset: offset)
        }
        depth += 1
        defer { depth -= 1 }
        offset += 1
        return try body(&self)
    }

    /// What is left of an object after its opening brace.
    private mutating func members() throws(JSONError) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        skipSpace()
        if skip("}") { return members }
        while true {
            skipSpace()
            let start = offset
            guard next == UInt8(ascii: "\"") else {
                throw expected(members.isEmpty ? "a name in quotes" : "another name in quotes after the comma")
            }
            let name = try string()
            skipSpace()
            guard skip(":") else { throw expected("\":\"") }
            skipSpace()
            members.append(.init(name: name, offset: start, value: try value()))
            skipSpace()
            if skip("}") { return members }
            guard skip(",") else { throw expected("\",\" or \"}\"") }
        }
    }

    /// What is left of an array after its opening bracket.
    private mutating func elements() throws(JSONError) -> [JSONNode] {
        var elements: [JSONNode] = []
        skipSpace()
        if skip("]") { return elements }
        while true {
            skipSpace()
            elements.append(try value())
            skipSpace()
            if skip("]") { return elements }
            guard skip(",") else { throw expected("\",\" or \"]\"") }
        }
    }

    private mutating func literal() throws(JSONError) -> JSONNode.Content {
        let literals: [(String, JSONNode.Content)] = [
            ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)),
        ]
        let word = self.word
        guard let literal = literals.first(where: { $0.0 == word }) else { throw expected("a value") }
        offset += word.utf8.count
        return literal.1
    }

    private mutating func number() throws(JSONError) -> Double {
        let start = offset
        _ = skip("-")
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        guard isAtDigit else {
            let text = String(decoding: bytes[start..<offset], as: UTF8.self)
            // Swift reads what the grammar above lets through; what is too large becomes infinite.
            guard let number = Double(text), number.isFinite else {
                throw JSONError(reason: "the number \(text.shortened) is too large", offset: start)
            }
            return number
        }
        throw JSONError(reason: "a number cannot begin with 0", offset: start)
    }

    private mutating func digits() throws(JSONError) {
        guard isAtDigit else { throw expected("a digit") }
        while isAtDigit { offset += 1 }
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        var result: [UInt8] = []
        offset += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"): result += String(try escaped()).utf8
            case ..<0x20:
                let what = byte == 10 || byte == 13 ? "line break" : "control character"
                throw JSONError(reason: "\(what) in a string: close the string, or use an escape", offset: offset)
            default:
                result.append(byte)
                offset += 1
            }
        }
        throw expected("a closing quote")
    }

    private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
        let start = offset
        offset += 1
        let wrong = JSONError(reason: "unknown escape", offset: start)
        guard let kind = next else { throw expected("the rest of an escape") }
        offset += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let first = codeUnit() else { throw wrong }
            if let scalar = Unicode.Scalar(first) { return scalar }
            // Half of a pair, of which the other half has to follow.
            guard skip("\\"), skip("u"), let second = codeUnit(),
                case .scalarValue(let scalar) = Self.scalar(first, second)
            else { throw wrong }
            return scalar
        default: throw wrong
        }
    }

    private static func scalar(_ first: UInt16, _ second: UInt16) -> UnicodeDecodingResult {
        var decoder = UTF16()
        var iterator = [first, second].makeIterator()
        return decoder.decode(&iterator)
    }

    private mutating func codeUnit() -> UInt16? {
        let digits = bytes[offset...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        offset += 4
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    // MARK: Bytes

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { offset += 1 }
    }

    private var isAtDigit: Bool { next.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false }

    /// The letters that follow.
    private var word: String {
        String(decoding: bytes[offset...].prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }, as: UTF8.self)
    }

    private func expected(_ what: String) -> JSONError {
        let found: String
        if next == nil {
            found = "the end of the text"
        } else if !word.isEmpty {
            found = "\"\(word.shortened)\""
        } else {
            let character = String(decoding: bytes[offset...].prefix(16), as: UTF8.self).prefix(1)
            found = "\"\(String(character).printable)\""
        }
        return JSONError(reason: "expected \(what), found \(found)", offset: offset)
    }
}
