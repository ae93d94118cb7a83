import ArgumentParser
import LiveBoardKit

/// `swift run LiveBoard`: serves the board at http://127.0.0.1:8080.
///
/// The code is in LiveBoardKit, so that tests can call it.
@main
enum Main {
    static func main() async { await LiveBoardCommand.main() }
}
