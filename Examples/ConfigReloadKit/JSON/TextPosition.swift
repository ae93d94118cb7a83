/// A place in a text as editors count: lines and the characters in them, from 1.
struct TextPosition: Sendable, Comparable, CustomStringConvertible {
    var line = 1
    var column = 1

    var description: String { "\(line):\(column)" }

    static func < (earlier: Self, later: Self) -> Bool {
        (earlier.line, earlier.column) < (later.line, later.column)
    }
}

extension TextPosition {
    /// The place of a byte.
    ///
    /// What continues a UTF-8 character takes no column of its own, nor does a byte order mark.
    init(of offset: Int, in bytes: [UInt8]) {
        let start = bytes.starts(with: JSONParser.byteOrderMark) ? JSONParser.byteOrderMark.count : 0
        for byte in bytes.prefix(offset).dropFirst(start) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}
