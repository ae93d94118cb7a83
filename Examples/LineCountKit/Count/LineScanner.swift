/// Counts the lines of files in one language, byte by byte.
///
/// What begins a comment or a string is ASCII, and no byte of another character is, so UTF-8 needs no decoding.
struct LineScanner: Sendable {
    /// What a byte may be, in code: plain, white space, the end of a line, or, from `firstGroup`, the first of a token.
    private let classes: [UInt8]
    /// The tokens by their first byte, the longest first.
    private let groups: [[Token]]

    fileprivate static let plain: UInt8 = 0
    fileprivate static let space: UInt8 = 1
    fileprivate static let lineEnd: UInt8 = 2
    fileprivate static let firstGroup: UInt8 = 3

    /// Something that begins a comment or a string.
    fileprivate struct Token: Sendable {
        enum Kind: Sendable {
            case line, block, string
            /// Brackets, where it matters what is in them.
            case opening, closing
        }

        let kind: Kind
        let open: [UInt8]
        var close: [UInt8] = []
        var nests = false
        var atLineStart = false
        var escapes = false
        var spansLines = false
        var documents = false
        var prefixes: [[UInt8]] = []
        var hasDelimiter = false
        /// Whether it is a word, such as `rem`, which another letter makes another word.
        var isWord: Bool { open.last.map(LineScanner.isLetter) ?? false }
    }

    init(_ language: Language) {
        var tokens = language.lineComments.map { Token(kind: .line, open: Array($0.utf8)) }
        tokens += language.blockComments.map {
            Token(
                kind: .block, open: Array($0.open.utf8), close: Array($0.close.utf8), nests: $0.nests,
                atLineStart: $0.atLineStart)
        }
        tokens += language.strings.map {
            Token(
                kind: .string, open: Array($0.open.utf8), close: Array($0.close.utf8), escapes: $0.escapes,
                spansLines: $0.spansLines, documents: $0.documents, prefixes: $0.prefixes.map { Array($0.utf8) },
                hasDelimiter: $0.hasDelimiter)
        }
        if tokens.contains(where: \.documents) {
            tokens += "([{".utf8.map { Token(kind: .opening, open: [$0]) }
            tokens += ")]}".utf8.map { Token(kind: .closing, open: [$0]) }
        }
        var classes = [UInt8](repeating: Self.plain, count: 256)
        for byte in [9, 11, 12, 13, 32] { classes[byte] = Self.space }
        classes[10] = Self.lineEnd
        let byFirst = Dictionary(grouping: tokens) { $0.open[0] }
        var groups: [[Token]] = []
        for (first, group) in byFirst {
            classes[Int(first)] = Self.firstGroup + UInt8(groups.count)
            // Of the same length, the one that wants a prefix first.
            groups.append(
                group.sorted { ($0.open.count, $0.prefixes.count) > ($1.open.count, $1.prefixes.count) })
        }
        self.classes = classes
        self.groups = groups
    }

    func count(_ bytes: [UInt8]) -> Lines {
        // Unsafe for speed, as every byte is looked at: the pointers do not leave the closures, and every access is
        // behind a comparison with the count.
        bytes.withUnsafeBufferPointer { bytes in
            classes.withUnsafeBufferPointer { classes in
                count(Scan(bytes: bytes, classes: classes))
            }
        }
    }

    private func count(_ initial: Scan) -> Lines {
        var scan = initial
        // A byte order mark is no code.
        scan.skip([0xEF, 0xBB, 0xBF])
        // The line that says what runs a script is code, whatever it looks like.
        if scan.isAt([UInt8(ascii: "#"), UInt8(ascii: "!")]) { scan.skipToLineEnd(asCode: true) }
        while let group = scan.nextInCode() {
            guard let token = groups[group].first(where: { scan.isAt($0) }) else {
                scan.skipByteOfCode()
                continue
            }
            switch token.kind {
            case .line: scan.skipToLineEnd(asCode: false)
            case .block: scan.skipComment(token)
            case .string: scan.skipString(token)
            case .opening: scan.skipBracket(deeper: 1)
            case .closing: scan.skipBracket(deeper: -1)
            }
        }
        return scan.finish()
    }

    /// Whether a byte may be in a name.
    fileprivate static func isInName(_ byte: UInt8) -> Bool {
        isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    fileprivate static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}

/// The state of counting one file: where it is, and what the present line has had so far.
private struct Scan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let classes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var lineStart = 0
    private var hasCode = false
    private var hasComment = false
    /// How many brackets are open. Counted only where strings may be documentation.
    private var depth = 0
    /// Whether the line before ended with a backslash.
    private var isContinued = false
    private var lines = Lines()

    private static let newline = UInt8(ascii: "\n")
    private static let backslash = UInt8(ascii: "\\")

    init(bytes: UnsafeBufferPointer<UInt8>, classes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        self.classes = classes
    }

    /// Goes on to what may begin a comment or a string, and returns the group of its tokens; nil at the end.
    mutating func nextInCode() -> Int? {
        while position < bytes.count {
            let byteClass = classes[Int(bytes[position])]
            switch byteClass {
            case LineScanner.plain: hasCode = true
            case LineScanner.space: break
            case LineScanner.lineEnd:
                let isContinued = hasCode && !hasComment && endsWithBackslash
                endLine()
                self.isContinued = isContinued
            default: return Int(byteClass - LineScanner.firstGroup)
            }
            position += 1
        }
        return nil
    }

    /// Whether the token is here.
    func isAt(_ token: LineScanner.Token) -> Bool {
        guard !token.atLineStart || position == lineStart, isAt(token.open), hasPrefix(of: token) else { return false }
        let end = position + token.open.count
        return !token.isWord || end == bytes.count || !LineScanner.isLetter(bytes[end])
    }

    private func hasPrefix(of token: LineScanner.Token) -> Bool {
        guard !token.prefixes.isEmpty else { return true }
        let word = bytes[wordStart..<position]
        return token.prefixes.contains { $0.elementsEqual(word) }
    }

    /// Where the name begins that ends right here.
    private var wordStart: Int {
        var start = position
        // No prefix is longer, so it need not go back further.
        while start > lineStart, position - start < 4, LineScanner.isInName(bytes[start - 1]) { start -= 1 }
        return start
    }

    /// Whether nothing but the prefix of a string is on the line so far, and the line begins a statement.
    private func beginsStatement(_ token: LineScanner.Token) -> Bool {
        guard depth == 0, !isContinued else { return false }
        let start = token.prefixes.isEmpty ? position : wordStart
        return bytes[lineStart..<start].allSatisfy { classes[Int($0)] == LineScanner.space }
    }

    private var endsWithBackslash: Bool {
        var end = position
        if end > lineStart, bytes[end - 1] == 13 { end -= 1 }
        return end > lineStart && bytes[end - 1] == Self.backslash
    }

    func isAt(_ text: [UInt8]) -> Bool {
        guard bytes.count - position >= text.count else { return false }
        for index in text.indices where bytes[position + index] != text[index] { return false }
        return true
    }

    mutating func skip(_ text: [UInt8]) {
        guard isAt(text) else { return }
        position += text.count
        lineStart = position
    }

    mutating func skipByteOfCode() {
        hasCode = true
        position += 1
    }

    mutating func skipBracket(deeper: Int) {
        depth = max(0, depth + deeper)
        skipByteOfCode()
    }

    /// To the end of the line, which is not skipped.
    mutating func skipToLineEnd(asCode isCode: Bool) {
        if isCode { hasCode = true } else { hasComment = true }
        while position < bytes.count, bytes[position] != Self.newline { position += 1 }
    }

    mutating func skipComment(_ token: LineScanner.Token) {
        hasComment = true
        position += token.open.count
        var depth = 1
        let (open, close) = (token.open[0], token.close[0])
        while position < bytes.count {
            let byte = bytes[position]
            if byte == close, !token.atLineStart || position == lineStart, isAt(token.close) {
                hasComment = true
                position += token.close.count
                depth -= 1
                if depth == 0 {
                    // What follows `=cut` on its line belongs to it.
                    if token.atLineStart { skipToLineEnd(asCode: false) }
                    return
                }
                continue
            }
            if byte == open, token.nests, isAt(token.open) {
                hasComment = true
                position += token.open.count
                depth += 1
                continue
            }
            if byte == Self.newline { endLine() } else if byte > 32 { hasComment = true }
            position += 1
        }
    }

    mutating func skipString(_ token: LineScanner.Token) {
        let isDocumentation = token.documents && beginsStatement(token)
        // Its prefix has been taken for code.
        if isDocumentation { hasCode = false }
        mark(asCode: !isDocumentation)
        position += token.open.count
        var close = token.close
        if token.hasDelimiter, let delimiter = delimiter() { close = [UInt8(ascii: ")")] + delimiter + close }
        guard let last = close.first else { return }
        while position < bytes.count {
            let byte = bytes[position]
            if byte == Self.backslash, token.escapes {
                position += 1
                // A string goes on after an escaped end of a line.
                if position < bytes.count, bytes[position] == 13 { position += 1 }
                guard position < bytes.count else { return }
                mark(asCode: !isDocumentation)
                if bytes[position] == Self.newline { endLine() }
            } else if byte == last, isAt(close) {
                mark(asCode: !isDocumentation)
                position += close.count
                return
            } else if byte == Self.newline {
                guard token.spansLines else { return }
                endLine()
            } else if byte > 32 {
                mark(asCode: !isDocumentation)
            }
            position += 1
        }
    }

    private mutating func mark(asCode isCode: Bool) {
        if isCode { hasCode = true } else { hasComment = true }
    }

    /// What stands before the parenthesis that begins the text of a raw string.
    private func delimiter() -> [UInt8]? {
        let most = 16
        let rest = bytes[position..<min(bytes.count, position + most + 1)]
        guard let end = rest.firstIndex(of: UInt8(ascii: "(")) else { return nil }
        let delimiter = rest[..<end]
        return delimiter.contains { $0 <= 32 || $0 == UInt8(ascii: "\"") } ? nil : Array(delimiter)
    }

    /// Called at the end of a line.
    private mutating func endLine() {
        if hasCode { lines.code += 1 } else if hasComment { lines.comment += 1 } else { lines.blank += 1 }
        (hasCode, hasComment, isContinued) = (false, false, false)
        lineStart = position + 1
    }

    /// The lines, the last of which may have no end.
    mutating func finish() -> Lines {
        if lineStart < bytes.count { endLine() }
        return lines
    }
}
