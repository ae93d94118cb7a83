/// Traps unless `condition` holds, with a message that release builds print as well.
///
/// - Parameter message: Names the operator and the value that it was given. The backtrace names the caller's line.
@inlinable
package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { trap(message()) }
}

/// Prints no file and line, which would be the library's.
@usableFromInline
package func trap(_ message: String) -> Never { fatalError(message, file: "ReactiveSignals", line: 0) }
