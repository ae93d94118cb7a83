import FetcherKit

/// `swift run Fetcher URL...`: fetches many URLs concurrently.
///
/// The code is in FetcherKit, so that tests can call it.
@main
enum Main {
    static func main() async {
        await FetcherProgram.runAndExit(arguments: Array(CommandLine.arguments.dropFirst()))
    }
}
