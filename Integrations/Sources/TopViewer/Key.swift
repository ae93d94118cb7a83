/// A key of a terminal.
package enum Key: Sendable, Equatable {
    case character(Character)
    case enter, escape, backspace, up, down, left, right, pageUp, pageDown, home
    /// Control-C.
    case interrupt

    /// The keys in what a terminal has sent at once. Sequences that are not known are dropped.
    package static func keys(in bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var rest = ArraySlice(bytes)
        while let byte = rest.popFirst() {
            switch byte {
            case 0x03: keys.append(.interrupt)
            case 0x0a, 0x0d: keys.append(.enter)
            case 0x08, 0x7f: keys.append(.backspace)
            case 0x1b:
                guard rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O") else {
                    keys.append(.escape)
                    continue
                }
                rest.removeFirst()
                var parameters = ""
                while let next = rest.first, !(0x40...0x7e).contains(next) {
                    parameters.unicodeScalars.append(Unicode.Scalar(next))
                    rest.removeFirst()
                }
                let known: [String: Key] = [
                    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "5~": .pageUp, "6~": .pageDown,
                    "1~": .home,
                ]
                if let last = rest.popFirst(), let key = known[parameters + String(Unicode.Scalar(last))] {
                    keys.append(key)
                }
            case 0x20..<0x80: keys.append(.character(Character(Unicode.Scalar(byte))))
            case 0xc0...:
                // A character outside ASCII.
                var scalar = [byte]
                while let next = rest.first, next & 0xc0 == 0x80 {
                    scalar.append(next)
                    rest.removeFirst()
                }
                keys += String(decoding: scalar, as: UTF8.self).map { .character($0) }
            default: break
            }
        }
        return keys
    }
}
