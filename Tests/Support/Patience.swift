/// How long a test waits for a state before it fails: longer than a busy machine with a sanitizer needs for any step.
///
/// A test that passes never waits that long, because it waits for a state, not for a time. Scripts/check-waits rejects
/// other limits.
package let patience: Duration = .seconds(900)
