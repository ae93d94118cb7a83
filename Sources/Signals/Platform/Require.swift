/// Traps unless `condition` holds, with a message that a release build prints too.
///
/// - Parameters:
///   - message: Names the operator and the value that it was given.
///   - file: The caller's: a public function passes on its own parameter, and its caller sees where the mistake is.
///   - line: The caller's line.
@inlinable
package func require(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString, line: UInt
) {
    if !condition { fatalError(message(), file: file, line: line) }
}
