import TestSupport
import Testing

extension ExitTest.Result {
    /// What the process wrote before it died.
    var message: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
