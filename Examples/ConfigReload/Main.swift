import ConfigReloadKit

/// `swift run ConfigReload`: what a server does with its configuration.
///
/// All of it is in ConfigReloadKit, where tests reach it.
@main
enum Main {
    static func main() {
        ConfigReloadProgram.runAndExit(arguments: Array(CommandLine.arguments.dropFirst()))
    }
}
