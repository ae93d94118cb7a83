import ExamplesKit

/// What the command line asks for.
struct Options: Sendable, Equatable {
    var directory: String
    var isJSON = false
    var selection = Selection()
    var limit = System.processorCount
    var retries = 10
    /// Whether only times are wanted.
    var compares = false

    init(directory: String) { self.directory = directory }
}

extension Options {
    /// The options, or nil if help is asked for.
    static func parse(_ arguments: [String]) throws(UsageError) -> Options? {
        var options = Options(directory: "")
        var directory: String?
        var onlyArguments = false
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
            guard argument.hasPrefix("-"), argument != "-", !onlyArguments else {
                guard directory == nil else {
                    throw UsageError(description: "unexpected argument \"\(argument.printable)\"")
                }
                directory = argument
                continue
            }
            switch name {
            case "--help", "-h": return nil
            case "--json": options.isJSON = true
            case "--compare": options.compares = true
            case "--exclude":
                let pattern = try value("a pattern")
                if pattern.isEmpty { throw UsageError(description: "--exclude needs a pattern") }
                options.selection.excluded.append(pattern)
            case "--no-ignore": options.selection.followsIgnoreFiles = false
            case "--limit": options.limit = try UsageError.number(name, value("a number"), in: 1...256)
            case "--retries": options.retries = try UsageError.number(name, value("a number"), in: 0...1_000_000)
            case "--" where attached == nil: onlyArguments = true
            default: throw UsageError(description: "unknown option \"\(argument.printable)\"")
            }
            if attached != nil { throw UsageError(description: "\(name) takes no value") }
        }
        guard let directory, !directory.isEmpty else { throw UsageError(description: "a directory is required") }
        if options.compares, options.isJSON { throw UsageError(description: "--compare and --json cannot be combined") }
        options.directory = directory
        return options
    }
}
