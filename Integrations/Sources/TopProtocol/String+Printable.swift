extension String {
    /// The string on one line, with control and formatting characters as a Swift literal has them: `\u{1b}`.
    ///
    /// So that a name cannot move the cursor of a terminal, or look like something else.
    package var printable: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
