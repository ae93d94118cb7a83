import VitalsKit

/// `swift run Vitals`: the vital signs of this machine.
///
/// All of it is in VitalsKit, where tests reach it.
@main
enum Main {
    static func main() {
        VitalsProgram.runAndExit(arguments: Array(CommandLine.arguments.dropFirst()))
    }
}
