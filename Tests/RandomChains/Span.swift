import TestSupport

/// An interval of virtual time: a few units, and a little more that tells the step.
///
/// Tests move the time by whole units. Two steps' timers thus fall due together only by way of re-entrant sends, which
/// ``VirtualClock`` sees: nothing says which is first.
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
