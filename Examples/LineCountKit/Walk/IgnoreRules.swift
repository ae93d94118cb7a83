/// The patterns of a `.gitignore`, which say what below its directory is left out.
struct IgnoreRules: Sendable {
    private let patterns: [IgnorePattern]

    /// The patterns of a file, one per line.
    init(_ text: some Collection<UInt8>) {
        patterns = text.split(separator: UInt8(ascii: "\n")).compactMap { IgnorePattern(Array($0)) }
    }

    /// Patterns as the command line gives them.
    init(patterns: [String]) {
        self.patterns = patterns.compactMap { IgnorePattern(Array($0.utf8)) }
    }

    var isEmpty: Bool { patterns.isEmpty }

    /// Whether a path is left out or, by a `!`, taken in again; nil if no pattern matches it.
    ///
    /// - Parameter path: The names on the way from the directory of the rules.
    func verdict(on path: ArraySlice<[UInt8]>, isDirectory: Bool) -> Bool? {
        // The last pattern that matches decides.
        patterns.last { $0.matches(path, isDirectory: isDirectory) }.map { !$0.isNegated }
    }
}

/// One line of a `.gitignore`.
struct IgnorePattern: Sendable {
    /// What one name of a path must look like, or a `**`, which any number of names may stand for.
    private enum Part: Sendable {
        case names
        case name([Element])
    }

    /// What one byte of a name must be, or a `*`, which any number of bytes may stand for.
    private enum Element: Sendable {
        case bytes
        case anyByte
        case byte(UInt8)
        case oneOf([ClosedRange<UInt8>], isNegated: Bool)
    }

    private(set) var isNegated = false
    private var onlyDirectories = false
    private var parts: [Part] = []

    /// Nil for an empty line, a comment, and what matches nothing.
    init?(_ line: [UInt8]) {
        var rest = Self.trimmed(line)[...]
        if rest.first == UInt8(ascii: "#") { return nil }
        if rest.first == UInt8(ascii: "!") {
            isNegated = true
            rest.removeFirst()
        }
        if rest.last == Self.slash {
            onlyDirectories = true
            rest.removeLast()
        }
        let isAnchored = rest.contains(Self.slash)
        let names = rest.split(separator: Self.slash)
        guard !names.isEmpty else { return nil }
        if !isAnchored { parts.append(.names) }
        for name in names {
            if name.elementsEqual("**".utf8) {
                parts.append(.names)
            } else {
                guard let elements = Self.elements(of: name) else { return nil }
                parts.append(.name(elements))
            }
        }
        // `a/**` is what is in `a`, but not `a` itself.
        if case .names = parts.last { parts.append(.name([.bytes])) }
    }

    func matches(_ path: ArraySlice<[UInt8]>, isDirectory: Bool) -> Bool {
        guard isDirectory || !onlyDirectories else { return false }
        return Self.match(parts[...], path) { part in
            if case .names = part { true } else { false }
        } isOne: { part, name in
            guard case .name(let elements) = part else { return false }
            return Self.match(elements[...], name[...]) { element in
                if case .bytes = element { true } else { false }
            } isOne: { element, byte in
                switch element {
                case .bytes: false
                case .anyByte: true
                case .byte(let expected): byte == expected
                case .oneOf(let ranges, let isNegated): ranges.contains { $0 ~= byte } != isNegated
                }
            }
        }
    }

    /// Whether a pattern matches a text as a whole, where some parts of the pattern stand for any number of items.
    private static func match<Pattern, Item>(
        _ pattern: ArraySlice<Pattern>, _ text: ArraySlice<Item>, isAny: (Pattern) -> Bool,
        isOne: (Pattern, Item) -> Bool
    ) -> Bool {
        var (pattern, text) = (pattern, text)
        // Where to go on if the rest does not match: what came before may always stand for as little as it can.
        var retry: (pattern: ArraySlice<Pattern>, text: ArraySlice<Item>)?
        while true {
            if let first = pattern.first, isAny(first) {
                pattern.removeFirst()
                retry = (pattern, text)
            } else if let first = pattern.first, let item = text.first, isOne(first, item) {
                pattern.removeFirst()
                text.removeFirst()
            } else if pattern.isEmpty, text.isEmpty {
                return true
            } else if let last = retry, !last.text.isEmpty {
                retry = (last.pattern, last.text.dropFirst())
                (pattern, text) = (last.pattern, last.text.dropFirst())
            } else {
                return false
            }
        }
    }

    private static let slash = UInt8(ascii: "/")
    private static let backslash = UInt8(ascii: "\\")

    /// Without the spaces at the end, but for one behind a backslash.
    private static func trimmed(_ line: [UInt8]) -> [UInt8] {
        var line = line
        if line.last == 13 { line.removeLast() }
        while line.last == 32 || line.last == 9, line.dropLast().last != backslash { line.removeLast() }
        return line
    }

    /// Nil if a bracket is not closed, or nothing follows a backslash.
    private static func elements(of name: ArraySlice<UInt8>) -> [Element]? {
        var elements: [Element] = []
        var rest = name
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"): elements.append(.bytes)
            case UInt8(ascii: "?"): elements.append(.anyByte)
            case UInt8(ascii: "["):
                guard let set = takeSet(from: &rest) else { return nil }
                elements.append(set)
            case backslash:
                guard let escaped = rest.popFirst() else { return nil }
                elements.append(.byte(escaped))
            default: elements.append(.byte(byte))
            }
        }
        return elements
    }

    /// What is in brackets, up to the closing one.
    private static func takeSet(from rest: inout ArraySlice<UInt8>) -> Element? {
        var isNegated = false
        if let first = rest.first, first == UInt8(ascii: "!") || first == UInt8(ascii: "^") {
            isNegated = true
            rest.removeFirst()
        }
        var ranges: [ClosedRange<UInt8>] = []
        var isFirst = true
        while let byte = rest.popFirst() {
            // A closing bracket that comes first stands for itself.
            if byte == UInt8(ascii: "]"), !isFirst { return .oneOf(ranges, isNegated: isNegated) }
            isFirst = false
            guard let lower = byte == backslash ? rest.popFirst() : byte else { return nil }
            var upper = lower
            if rest.first == UInt8(ascii: "-"), let next = rest.dropFirst().first, next != UInt8(ascii: "]") {
                rest.removeFirst(2)
                guard let end = next == backslash ? rest.popFirst() : next else { return nil }
                upper = end
            }
            if lower <= upper { ranges.append(lower...upper) }
        }
        return nil
    }
}
