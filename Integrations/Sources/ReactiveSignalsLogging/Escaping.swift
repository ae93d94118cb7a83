/// Replaces what could make one line look like several, or hide a part of it, and cuts the text.
///
/// - Parameter limit: The number of characters of the text. More are replaced by three dots.
func escaped(_ text: String, limit: Int) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
        if count >= limit { return result + "..." }
        count += 1
        switch scalar.properties.generalCategory {
        // Line and paragraph separators, and what has no shape, such as a change of the writing direction.
        case .control, .format, .lineSeparator, .paragraphSeparator: result += scalar.escaped(asASCII: true)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
