import FetcherKit

/// `swift run Fetcher URL...`: fetches many addresses.
///
/// All of it is in FetcherKit, where tests reach it.
@main
enum Main {
    static func main() async {
        await FetcherProgram.runAndExit(arguments: Array(CommandLine.arguments.dropFirst()))
    }
}
