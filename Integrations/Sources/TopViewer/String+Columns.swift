extension String {
    /// The beginning of the string that is at most `width` columns wide. Ends with `~` if something is missing.
    func cut(to width: Int) -> String {
        var used = 0
        var result = ""
        for character in self {
            let columns = character.columns
            if used + columns > width {
                while used > width - 1, let last = result.popLast() { used -= last.columns }
                return result + "~"
            }
            used += columns
            result.append(character)
        }
        return result
    }

    /// The string in lines of at most `width` columns, broken at spaces where that is possible.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            if line.isEmpty {
                line = String(word)
            } else if (line + " " + word).columns <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = "  " + word
            }
        }
        return lines + [line]
    }

    /// How many columns of a terminal it takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Character {
    /// Two for characters of East Asia and for emoji.
    fileprivate var columns: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        return switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
            0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
            2
        default: scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }
}
