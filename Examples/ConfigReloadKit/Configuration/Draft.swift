import ExamplesKit
import ReactiveSignals

/// A configuration that is yet to be found valid: each of its values knows what it may be.
///
/// It is filled from a file, value by value and in any order, and comes into force as a whole or not at all.
struct Draft {
    typealias Validated<Value: Sendable> = ValidatingProperty<Value, Objection>

    let port: Validated<Int>
    let logLevel: Validated<String>
    let requestsPerSecond: Validated<Int>
    let bodyBytes: Validated<Int>
    let maxWorkers: Validated<Int>
    /// Looked at again whenever ``maxWorkers`` changes.
    let minWorkers: Validated<Int>

    /// One with the defaults.
    init() {
        let start = Configuration()
        port = Validated(start.port) { Self.decide($0, in: 1...65_535) }
        logLevel = Validated(start.logLevel.rawValue, Self.decideLogLevel)
        requestsPerSecond = Validated(start.limits.requestsPerSecond) { Self.decide($0, in: 1...1_000_000) }
        bodyBytes = Validated(start.limits.bodyBytes) { Self.decide($0, in: 0...1 << 30) }
        maxWorkers = Validated(start.workers.upperBound) { Self.decide($0, in: 1...1024) }
        minWorkers = Validated(start.workers.lowerBound, with: maxWorkers) { least, most in
            if case .invalid(let objection) = Self.decide(least, in: 1...1024) { return .invalid(objection) }
            if least <= most { return .valid }
            let reason = "\(least) is more than \(Key.maxWorkers.rawValue), which is \(most)"
            return .invalid(Objection(reason: reason, other: .maxWorkers))
        }
    }

    /// Takes over what the document gives, and notes there what is wrong with it.
    func fill(from document: inout Document) {
        if let value = document.integer(.port) { port.value = value }
        if let value = document.string(.logLevel) { logLevel.value = value }
        if let value = document.integer(.requestsPerSecond) { requestsPerSecond.value = value }
        if let value = document.integer(.bodyBytes) { bodyBytes.value = value }
        if let value = document.integer(.minWorkers) { minWorkers.value = value }
        if let value = document.integer(.maxWorkers) { maxWorkers.value = value }
        note(port, .port, in: &document)
        note(logLevel, .logLevel, in: &document)
        note(requestsPerSecond, .requestsPerSecond, in: &document)
        note(bodyBytes, .bodyBytes, in: &document)
        note(maxWorkers, .maxWorkers, in: &document)
        note(minWorkers, .minWorkers, in: &document)
    }

    /// Nil if a value is invalid.
    var configuration: Configuration? {
        guard
            ValidatingProperty.allValid(port, logLevel, requestsPerSecond, bodyBytes, minWorkers, maxWorkers).value,
            let logLevel = LogLevel(rawValue: logLevel.value)
        else { return nil }
        return Configuration(
            port: port.value, logLevel: logLevel,
            limits: Limits(requestsPerSecond: requestsPerSecond.value, bodyBytes: bodyBytes.value),
            workers: minWorkers.value...maxWorkers.value)
    }

    private func note<Value>(_ property: Validated<Value>, _ key: Key, in document: inout Document) {
        switch property.result.value {
        case .valid, .coerced(_, proposed: _, nil): break
        case .coerced(_, proposed: _, let objection?): document.report(objection, to: key, .warning)
        case .invalid(_, let objection): document.report(objection, to: key)
        }
    }

    // MARK: Decisions

    private static func decide(_ number: Int, in range: ClosedRange<Int>) -> Validated<Int>.Decision {
        if range.contains(number) { return .valid }
        return .invalid(Objection(reason: "\(number) is not between \(range.lowerBound) and \(range.upperBound)"))
    }

    private static func decideLogLevel(_ name: String) -> Validated<String>.Decision {
        if LogLevel(rawValue: name) != nil { return .valid }
        if let level = LogLevel(rawValue: name.lowercased()) {
            return .coerced(level.rawValue, Objection(reason: "\"\(name)\" is read as \"\(level)\""))
        }
        let levels = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
        return .invalid(Objection(reason: "\"\(name.shortened.printable)\" is not one of \(levels)"))
    }
}
