import ExamplesKit

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
                options.samples = try UsageError.number(name, value("a number"), in: 1...1_000_000_000)
            case "--interval":
                options.milliseconds = try UsageError.number(
                    name, value("a number of milliseconds"), in: 10...86_400_000)
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
            throw UsageError(description: "--plain and --json cannot be combined")
        }
        self.format = format
    }
}
