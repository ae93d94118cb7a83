/// A JSON value, as far as the examples write any.
package indirect enum JSON: Sendable {
    case string(String)
    case integer(UInt64)
    case boolean(Bool)
    case number(Double, decimals: Int)
    case array([JSON])
    /// The members in the order in which they are written.
    case object([(name: String, value: JSON)])

    /// The value on a single line.
    package var text: String {
        switch self {
        case .string(let string): Self.quoted(string)
        case .integer(let integer): String(integer)
        case .boolean(let boolean): String(boolean)
        case .number(let number, let decimals): number.isFinite ? Format.fixed(number, decimals: decimals) : "null"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.name)):\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..<"\u{20}":
                result += "\\u" + String(scalar.value, radix: 16).padded(toWidth: 4, with: "0")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
