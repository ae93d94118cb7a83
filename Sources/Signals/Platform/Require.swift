/// Traps unless `condition` holds, with a message that release builds print as well.
///
/// - Parameters:
///   - message: Names the operator and the value that it was given.
///   - file: The caller's file. A public function passes its own parameter on, so that its caller sees where the
///     mistake is.
///   - line: The caller's line.
@_alwaysEmitIntoClient
package func require(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString, line: UInt
) {
    if !condition { fatalError(message(), file: file, line: line) }
}
