import ArgumentParser
import LiveBoardKit

/// `swift run LiveBoard`: serves the board at http://127.0.0.1:8080.
///
/// All of it is in LiveBoardKit, where tests reach it.
@main
enum Main {
    static func main() async { await LiveBoardCommand.main() }
}
