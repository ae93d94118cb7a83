import ReactiveSignals

/// The difference between a recording and a marble diagram.
///
/// Its description shows both, with a mark at the first difference:
///
/// ```swift
/// let recorder = scheduler.signal("--a--b|", of: String.self).record(on: scheduler)
/// scheduler.run()
/// if let difference = try recorder.difference(from: Marbles("--a-b|")) { print(difference) }
/// ```
///
/// prints
///
/// ```
/// at 4.0 seconds: expected `b`, got nothing
///     expected: --a-b|
///     actual:   --a--b|
///                   ^
/// ```
///
/// ``TestObserver/expect(_:file:line:)`` throws it, which fails a test with this text, under Swift Testing and under
/// XCTest. The text then begins with the file and line of the call.
public struct MarbleDifference: Error, Equatable, CustomStringConvertible {
    /// The time of the first difference, counted from the beginning of the recording.
    public let time: Duration
    /// What was expected then, and what happened, in words.
    public let reason: String
    /// The expected diagram.
    public let expected: String
    /// The recording as a diagram, on the same scale.
    public let actual: String
    /// The file and line of the call of `expect` that threw it, as in `MonitorTests/AlertsTests.swift:12`. `nil` if
    /// ``TestObserver/difference(from:)`` returned it.
    public internal(set) var location: String?
    /// The column of the first difference, as a number of characters.
    let offset: Int

    /// The location, the reason, both diagrams, and the mark.
    public var description: String {
        """
        \(location.map { "\($0): " } ?? "")at \(time): \(reason)
            expected: \(expected)
            actual:   \(actual)
                      \(String(repeating: " ", count: offset))^
        """
    }
}

/// Compares two lists of events, and draws them as diagrams.
struct MarbleComparison {
    /// An event.
    struct Mark {
        /// The event as part of a diagram.
        let drawing: String
        /// The event as part of a sentence.
        let name: String
        let time: Duration
        /// Equal for equal events.
        let identity: Int
    }

    /// The number of frames that a long diagram shows on each side of the first difference.
    private static let margin = 40

    let frame: Duration
    let expected: [Mark]
    let actual: [Mark]

    /// `nil` if the lists are equal.
    var difference: MarbleDifference? {
        let common = zip(expected, actual).prefix { $0.identity == $1.identity && $0.time == $1.time }.count
        let times = [expected, actual].compactMap { $0.count > common ? $0[common].time : nil }
        guard let time = times.min() else { return nil }
        let reason = "expected \(events(expected, at: time)), got \(events(actual, at: time))"
        let (lines, offset) = drawing(around: position(of: time))
        return MarbleDifference(time: time, reason: reason, expected: lines[0], actual: lines[1], offset: offset)
    }

    private func events(_ marks: [Mark], at time: Duration) -> String {
        let names = marks.filter { $0.time == time }.map(\.name)
        return names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }

    /// Returns the frame that contains a time.
    func position(of time: Duration) -> Int { Int(time.attoseconds / frame.attoseconds) }

    /// Draws both lines, with cells of equal width for the same frame. Also returns the column of the frame `center`.
    private func drawing(around center: Int) -> (lines: [String], offset: Int) {
        let all = (expected + actual).map { position(of: $0.time) }
        let last = min(all.max() ?? 0, center + Self.margin)
        let first = center > 2 * Self.margin ? center - Self.margin : 0
        var lines = [first > 0 ? "..." : "", first > 0 ? "..." : ""]
        var offset = 0
        for position in first...last {
            if position == center { offset = lines[0].count }
            let cells = [expected, actual].map { cell($0, position) }
            // Spaces take no time in a diagram.
            let width = cells.map(\.count).max() ?? 0
            for index in 0...1 {
                lines[index] += cells[index] + String(repeating: " ", count: width - cells[index].count)
            }
        }
        if (all.max() ?? 0) > last { for index in 0...1 { lines[index] += "..." } }
        return (lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }, offset)
    }

    /// Draws the events of a frame. An event that does not occur at the beginning of the frame is drawn with its time.
    /// With `saysWhen`, every event is.
    func cell(_ marks: [Mark], _ position: Int, saysWhen: Bool = false) -> String {
        let here = marks.filter { self.position(of: $0.time) == position }
        guard !here.isEmpty else {
            // Nothing is drawn after the last event.
            return marks.last.map { self.position(of: $0.time) < position } ?? true ? " " : "-"
        }
        let drawings = here.map { mark in
            !saysWhen && frame * position == mark.time ? mark.drawing : "[\(mark.drawing) at \(mark.time)]"
        }
        return drawings.count == 1 ? drawings[0] : "(\(drawings.joined()))"
    }
}
