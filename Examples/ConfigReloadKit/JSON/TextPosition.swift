/// A place in a text as editors count: lines and the characters in them, from 1.
struct TextPosition: Sendable, Equatable, CustomStringConvertible {
    var line = 1
    var column = 1

    var description: String { "\(line):\(column)" }
}

extension TextPosition {
    /// The place of a byte.
    init(of offset: Int, in bytes: [UInt8]) { advance(over: bytes.prefix(offset)) }

    /// The place after some more bytes.
    ///
    /// What continues a UTF-8 character takes no column of its own, nor does a byte order mark.
    mutating func advance(over bytes: ArraySlice<UInt8>) {
        let mark = JSONParser.byteOrderMark
        let isMarked = bytes.startIndex == 0 && bytes.starts(with: mark)
        for byte in isMarked ? bytes.dropFirst(mark.count) : bytes {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}
