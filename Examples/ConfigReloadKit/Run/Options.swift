import ExamplesKit

/// What the command line asks for.
struct Options: Sendable, Equatable {
    /// The one that is shipped, seen from the package's folder.
    static let shippedFile = "Examples/ConfigReload/config.json"

    var file = shippedFile
    /// Whether the file is only to be checked.
    var isOnce = false

    init() {}
}

extension Options {
    /// The options, or nil if help is asked for.
    static func parse(_ arguments: [String]) throws(UsageError) -> Options? {
        var options = Options()
        var file: String?
        var onlyArguments = false
        for argument in arguments {
            guard argument.hasPrefix("-"), argument != "-", !onlyArguments else {
                guard file == nil else {
                    throw UsageError(description: "unexpected argument \"\(argument.printable)\"")
                }
                file = argument
                continue
            }
            let (name, attached) = argument.splitAtEqualsSign()
            switch name {
            case "--help", "-h": return nil
            case "--once": options.isOnce = true
            case "--" where attached == nil: onlyArguments = true
            default: throw UsageError(description: "unknown option \"\(argument.printable)\"")
            }
            if attached != nil { throw UsageError(description: "\(name) takes no value") }
        }
        if file == "" { throw UsageError(description: "the file name is empty") }
        options.file = file ?? shippedFile
        return options
    }
}
