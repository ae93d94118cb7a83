// Compares the library with the models on cases that libFuzzer makes up from bytes: see `Scripts/fuzz`.
//
// `REACTIVE_SIGNALS_FAMILY` names the family of the cases. The arguments are libFuzzer's, which starts this program
// again with the same ones.
import Glibc
import RandomChains

/// libFuzzer's own `main`, as a function.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

let family: Family = {
    guard let name = getenv("REACTIVE_SIGNALS_FAMILY"), let family = Family(rawValue: String(cString: name)) else {
        fatalError("set REACTIVE_SIGNALS_FAMILY to signals or producers")
    }
    return family
}()

var arguments = CommandLine.unsafeArgv
var count = CommandLine.argc
exit(
    runFuzzer(&count, &arguments) { bytes, count in
        let choices = Choices(bytes: UnsafeBufferPointer(start: bytes, count: count))
        if case .disagreement(let report) = family.comparison(of: choices) {
            fatalError("the library and the model disagree:\n\(report)")
        }
        return 0
    })
