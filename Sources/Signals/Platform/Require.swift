/// Traps unless `condition` holds, with a message that a release build prints too.
///
/// - Parameter message: Names the operator and the value that it was given.
@inlinable
package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
