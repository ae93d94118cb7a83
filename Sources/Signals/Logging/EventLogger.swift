/// A closure that receives log lines from `logEvents`.
///
/// - Parameters:
///   - identifier: The identifier passed to `logEvents`, otherwise the name of the stream.
///   - event: What happened, as text: `NEXT 1`, `COMPLETED`, `DISPOSED`.
///   - fileName: The file of the call.
///   - functionName: The function of the call.
///   - lineNumber: The line of the call.
public typealias EventLogger =
    @Sendable (
        _ identifier: String, _ event: String, _ fileName: String, _ functionName: String, _ lineNumber: Int
    ) -> Void

/// Prints one line per event, such as `[[[username] -skipRepeats] -take: 3] NEXT joan (Login.swift:12, observe())`.
public func printEvent(
    identifier: String, event: String, fileName: String, functionName: String, lineNumber: Int
) {
    let file = fileName.split(separator: "/").last.map(String.init) ?? fileName
    print("[\(identifier)] \(event) (\(file):\(lineNumber), \(functionName))")
}
