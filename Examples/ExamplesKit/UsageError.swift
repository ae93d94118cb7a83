/// A command line that makes no sense.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package var description: String

    /// The exit code of a program after this error: `EX_USAGE` of sysexits.h, as in programs with
    /// swift-argument-parser.
    package static let exitCode: Int32 = 64

    package init(description: String) { self.description = description }
}

extension UsageError {
    /// The number that an option was given.
    package static func number(
        _ name: String, _ text: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError(description: "\(name) needs \(expected), not \"\(text.printable)\"")
        }
        return number
    }
}

extension String {
    /// The name and the value of an option like `--name=value`.
    package func splitAtEqualsSign() -> (name: String, value: String?) {
        guard hasPrefix("--"), let sign = firstIndex(of: "=") else { return (self, nil) }
        return (String(self[..<sign]), String(self[index(after: sign)...]))
    }
}
