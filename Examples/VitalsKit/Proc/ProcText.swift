/// The text of one file of /proc, cut into lines of fields, with errors that name the file and the line.
struct ProcText {
    let file: String
    let lines: [Line]

    /// One line that is not blank, and its fields.
    struct Line {
        let file: String
        let number: Int
        let fields: [Substring]
    }

    init(_ text: String, file: String) {
        self.file = file
        self.lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .map { index, line in
                Line(file: file, number: index + 1, fields: line.split(whereSeparator: \.isWhitespace))
            }
            .filter { !$0.fields.isEmpty }
    }

    /// The first line, of a file that must have one.
    func firstLine() throws(VitalsError) -> Line {
        guard let first = lines.first else { throw .malformed(file: file, reason: "it is empty") }
        return first
    }
}

extension ProcText.Line {
    /// The counter in the field at `index`.
    func counter(_ index: Int) throws(VitalsError) -> UInt64 {
        let field = try field(index)
        guard let value = UInt64(field) else { throw malformed(field, "is not a counter") }
        return value
    }

    /// The decimal number in the field at `index`: finite and not negative.
    func decimal(_ index: Int) throws(VitalsError) -> Double {
        let field = try field(index)
        guard field.utf8.allSatisfy({ Self.decimalCharacters.contains($0) }), let value = Double(field), value.isFinite
        else { throw malformed(field, "is not a decimal number") }
        return value
    }

    func field(_ index: Int) throws(VitalsError) -> Substring {
        guard fields.indices.contains(index) else {
            throw malformed("field \(index + 1) is missing, the line has only \(fields.count)")
        }
        return fields[index]
    }

    /// An error that quotes a field, or the beginning of one that is too long for an error of one line.
    func malformed(_ field: Substring, _ reason: String) -> VitalsError {
        malformed("\"\(field.prefix(40))\(field.count > 40 ? "..." : "")\" \(reason)")
    }

    func malformed(_ reason: String) -> VitalsError {
        .malformed(file: file, reason: "line \(number): \(reason)")
    }

    // `Double` alone would also read "nan", "inf" and "0x1p3", which the kernel never writes.
    private static let decimalCharacters = "0123456789.".utf8
}
