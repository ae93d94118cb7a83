import TestSupport

/// An interval of virtual time: a few units, plus a small amount that identifies the step.
///
/// Tests advance the time by whole units. The timers of two steps are thus due together only after re-entrant sends,
/// which ``VirtualClock`` detects: their order is not determined.
struct Span: Sendable, CustomStringConvertible {
    let units: Int
    let position: Int

    static let unit = 1 << 48

    var nanoseconds: Int { units * Self.unit + 1 << (6 * position) }
    var duration: Duration { .nanoseconds(nanoseconds) }
    var description: String { "\(units).00\(position)" }

    static func random(_ random: inout Choices, position: Int) -> Span {
        Span(units: random.number(in: 1...4), position: position)
    }
}
