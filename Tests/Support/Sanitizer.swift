import Foundation
package import Testing

/// The sanitizers under which the gate runs the tests, see `Scripts/sanitize`.
package enum Sanitizer: String {
    case thread, address

    /// The one in use, which `REACTIVE_SIGNALS_SANITIZER` names.
    package static let current: Sanitizer? = {
        guard let name = ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_SANITIZER"] else { return nil }
        guard let sanitizer = Sanitizer(rawValue: name) else {
            fatalError("REACTIVE_SIGNALS_SANITIZER=\(name): must be thread or address")
        }
        return sanitizer
    }()
}

extension Trait where Self == ConditionTrait {
    /// For a long test in which one thread does everything, so that there is no race to find.
    package static var notUnderThreadSanitizer: ConditionTrait {
        .disabled(if: Sanitizer.current == .thread, "It uses one thread.")
    }

    /// For a long test that repeats one thing very often on one thread, for the depth of the stack or for the amount of
    /// work. A sanitizer makes each frame larger and slower, and other tests show it each thing that is repeated.
    package static var notUnderSanitizers: ConditionTrait {
        .disabled(if: Sanitizer.current != nil, "It repeats on one thread what other tests do.")
    }
}
