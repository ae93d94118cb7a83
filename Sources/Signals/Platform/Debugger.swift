#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// Stops the process in a debugger. Without a debugger, the process ends with the signal `SIGTRAP`.
@usableFromInline
package enum Debugger {
    @usableFromInline
    package static func stop() { raise(SIGTRAP) }
}

extension SideEffects {
    /// Stops the process in a debugger at the events for which a condition is true.
    @usableFromInline
    package init(
        stoppingAtNext next: (@Sendable (Value) -> Bool)?, error: (@Sendable (Failure) -> Bool)?,
        completed: (@Sendable () -> Bool)?, interrupted: (@Sendable () -> Bool)?
    ) {
        func effect<Payload>(_ condition: (@Sendable (Payload) -> Bool)?) -> (@Sendable (Payload) -> Void)? {
            guard let condition else { return nil }
            return { if condition($0) { Debugger.stop() } }
        }
        func effect(_ condition: (@Sendable () -> Bool)?) -> (@Sendable () -> Void)? {
            guard let condition else { return nil }
            return { if condition() { Debugger.stop() } }
        }
        self.init(
            event: nil, next: effect(next),
            end: EndEffects(
                error: effect(error), completed: effect(completed), interrupted: effect(interrupted), terminated: nil))
    }
}
