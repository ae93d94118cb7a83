import Foundation
package import Testing

/// The sanitizers under which the gate runs the tests, see `Scripts/sanitize`.
package enum Sanitizer: String {
    case thread, address

    /// The sanitizer in use, as named by `REACTIVE_SIGNALS_SANITIZER`.
    package static let current: Sanitizer? = {
        guard let name = ProcessInfo.processInfo.environment["REACTIVE_SIGNALS_SANITIZER"] else { return nil }
        guard let sanitizer = Sanitizer(rawValue: name) else {
            fatalError("REACTIVE_SIGNALS_SANITIZER=\(name): must be thread or address")
        }
        return sanitizer
    }()
}

extension Trait where Self == ConditionTrait {
    /// For a long single-threaded test, which contains no race to detect.
    package static var notUnderThreadSanitizer: ConditionTrait {
        .disabled(if: Sanitizer.current == .thread, "It uses one thread.")
    }

    /// For a long test that repeats one thing very often on one thread, to test the depth of the stack or the amount of
    /// work. A sanitizer makes each frame larger and slower, and covers the repeated code in other tests. Also for a
    /// test that runs the compiler, which is another process.
    package static var notUnderSanitizers: ConditionTrait {
        .disabled(if: Sanitizer.current != nil, "A sanitizer would find nothing more in it.")
    }
}
