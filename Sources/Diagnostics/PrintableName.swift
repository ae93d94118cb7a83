extension String {
    /// The string on one line, with control and formatting characters in the form of a Swift literal: `\u{1b}`.
    ///
    /// - Parameter quotes: Whether to escape the backslash and the quotation mark, too.
    func printable(quotes: Bool = false) -> String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += quotes ? "\\\\" : "\\"
                result += "u{\(String(scalar.value, radix: 16))}"
            default:
                if quotes, scalar == "\"" || scalar == "\\" { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
