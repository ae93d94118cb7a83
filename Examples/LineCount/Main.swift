import LineCountKit

/// `swift run LineCount DIR`: lines of code, of comment, and blank ones, by language.
///
/// All of it is in LineCountKit, where tests reach it.
@main
enum Main {
    static func main() {
        LineCountProgram.runAndExit(arguments: Array(CommandLine.arguments.dropFirst()))
    }
}
