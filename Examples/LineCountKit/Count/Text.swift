/// Whether bytes are text, as far as lines can be counted.
enum Text: Sendable, Equatable {
    case utf8
    /// With a zero in it, which no text has. So is UTF-16.
    case binary
    case otherEncoding

    init(_ bytes: [UInt8]) {
        // Without branches, so that the compiler makes vector instructions of it; most files are ASCII.
        var (least, all): (UInt8, UInt8) = (.max, 0)
        for byte in bytes {
            least = min(least, byte)
            all |= byte
        }
        let (hasZero, hasHighBit) = (least == 0, all >= 0x80)
        self = hasZero ? .binary : !hasHighBit || Self.isUTF8(bytes) ? .utf8 : .otherEncoding
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte < 0x80 { continue }
            // The second byte has a range of its own where the shortest form, surrogates or the last character call for
            // it.
            let (length, second): (Int, ClosedRange<UInt8>)
            switch byte {
            case 0xC2...0xDF: (length, second) = (1, 0x80...0xBF)
            case 0xE0: (length, second) = (2, 0xA0...0xBF)
            case 0xED: (length, second) = (2, 0x80...0x9F)
            case 0xE1...0xEF: (length, second) = (2, 0x80...0xBF)
            case 0xF0: (length, second) = (3, 0x90...0xBF)
            case 0xF1...0xF3: (length, second) = (3, 0x80...0xBF)
            case 0xF4: (length, second) = (3, 0x80...0x8F)
            default: return false
            }
            guard index + length <= bytes.count, second.contains(bytes[index]) else { return false }
            for offset in 1..<length where bytes[index + offset] & 0xC0 != 0x80 { return false }
            index += length
        }
        return true
    }
}
