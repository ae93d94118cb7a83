/// A new incident before validation.
package struct Draft: Decodable, Equatable, Sendable {
    package var title: String?
    package var description: String?
    package var severity: String?
    package var reporter: String?

    package init(title: String?, description: String? = nil, severity: String?, reporter: String?) {
        self.title = title
        self.description = description
        self.severity = severity
        self.reporter = reporter
    }

    /// - Throws: ``BoardError/invalid(_:)`` with the problems of all fields.
    package func validated() throws(BoardError) -> ValidDraft {
        var problems: [String: String] = [:]
        let title = TextRule.title.check(title, "title", &problems)
        let description = TextRule.description.check(description, "description", &problems)
        let reporter = TextRule.person.check(reporter, "reporter", &problems)
        let severity = Incident.Severity(rawValue: severity ?? "")
        if severity == nil {
            let choices = Incident.Severity.allCases.map(\.rawValue).joined(separator: ", ")
            problems["severity"] = "Choose one of \(choices)."
        }
        guard problems.isEmpty, let severity else { throw .invalid(problems) }
        return ValidDraft(title: title, description: description, severity: severity, reporter: reporter)
    }
}

/// A validated draft.
package struct ValidDraft: Equatable, Sendable {
    package let title: String
    package let description: String
    package let severity: Incident.Severity
    package let reporter: String
}

/// A request to acknowledge or resolve an incident.
package struct Change: Equatable, Sendable {
    package var id: Int
    package var by: String?
    /// The version that the request was made for; `nil` accepts any version.
    package var version: Int?

    package init(id: Int, by: String?, version: Int? = nil) {
        self.id = id
        self.by = by
        self.version = version
    }

    func validatedPerson() throws(BoardError) -> String {
        var problems: [String: String] = [:]
        let person = TextRule.person.check(by, "by", &problems)
        guard problems.isEmpty else { throw .invalid(problems) }
        return person
    }
}

/// The rules for a text field.
struct TextRule {
    static let title = TextRule(1...120)
    static let person = TextRule(1...60)
    static let description = TextRule(0...2_000, mayHaveLines: true)

    let length: ClosedRange<Int>
    let mayHaveLines: Bool

    init(_ length: ClosedRange<Int>, mayHaveLines: Bool = false) {
        self.length = length
        self.mayHaveLines = mayHaveLines
    }

    /// Returns the text without surrounding white space, and adds its problem to `problems`.
    func check(_ text: String?, _ name: String, _ problems: inout [String: String]) -> String {
        let text = (text ?? "").trimmed
        // Counts scalars, because one character can consist of thousands.
        let count = text.unicodeScalars.count
        if count < length.lowerBound {
            problems[name] = "This field must not be empty."
        } else if count > length.upperBound {
            problems[name] = "At most \(length.upperBound) characters are allowed; this has \(count)."
        } else if text.unicodeScalars.contains(where: { isForbidden($0) }) {
            problems[name] = "Control characters are not allowed."
        }
        return text
    }

    /// Whether a character is invisible, or changes the direction of the text around it.
    private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D, 0x09: !mayHaveLines
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var view = unicodeScalars[...]
        while let first = view.first, first.properties.isWhitespace { view.removeFirst() }
        while let last = view.last, last.properties.isWhitespace { view.removeLast() }
        return String(view)
    }
}
