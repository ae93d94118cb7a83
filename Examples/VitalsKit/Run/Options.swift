/// What the command line asks for.
struct Options: Sendable, Equatable {
    enum Format: Sendable, Equatable {
        /// The dashboard in a terminal, plain lines elsewhere.
        case automatic
        case plain
        case json
    }

    var format = Format.automatic
    /// Nil runs until something else ends it.
    var samples: Int?
    var milliseconds = 1000
    var root = "/proc"

    init() {}
}

/// A command line that makes no sense.
struct UsageError: Error, Equatable, CustomStringConvertible {
    var description: String
}

extension Options {
    /// The options, or nil if help is asked for.
    static func parse(_ arguments: [String]) throws(UsageError) -> Options? {
        var options = Options()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            var (name, attached) = argument.splitAtEqualsSign()
            /// The value after the `=`, or else the next argument.
            func value(_ what: String) throws(UsageError) -> String {
                defer { attached = nil }
                guard let value = attached ?? rest.popFirst() else {
                    throw UsageError(description: "\(name) needs \(what)")
                }
                return value
            }
            switch name {
            case "--help", "-h": return nil
            case "--plain": try options.choose(.plain)
            case "--json": try options.choose(.json)
            case "--samples":
                options.samples = try number(name, value("a number"), in: 1...1_000_000_000)
            case "--interval":
                options.milliseconds = try number(name, value("a number of milliseconds"), in: 10...86_400_000)
            case "--root":
                options.root = try value("a directory")
                if options.root.isEmpty { throw UsageError(description: "--root needs a directory") }
            default:
                let kind = argument.hasPrefix("-") ? "option" : "argument"
                throw UsageError(description: "unknown \(kind) \"\(argument.printable)\"")
            }
            if attached != nil { throw UsageError(description: "\(name) takes no value") }
        }
        return options
    }

    private mutating func choose(_ format: Format) throws(UsageError) {
        if self.format != .automatic, self.format != format {
            throw UsageError(description: "--plain and --json exclude each other")
        }
        self.format = format
    }

    private static func number(
        _ name: String, _ text: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError(description: "\(name) wants \(expected), not \"\(text.printable)\"")
        }
        return number
    }
}

extension String {
    fileprivate func splitAtEqualsSign() -> (name: String, value: String?) {
        guard hasPrefix("--"), let sign = firstIndex(of: "=") else { return (self, nil) }
        return (String(self[..<sign]), String(self[index(after: sign)...]))
    }
}
