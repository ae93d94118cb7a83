import HotSignals
import ReactiveSignals

extension TestObserver: CustomStringConvertible {
    /// The recording so far, as a diagram with one second per character: see ``marbles(frame:file:line:)``.
    public var description: String { marbles() }

    /// Returns the recording so far as a diagram: see ``Marbles``.
    ///
    /// ```swift
    /// let scheduler = TestScheduler()
    /// let recorder = scheduler.signal("--1-[12]|", of: Int.self).record(on: scheduler)
    /// scheduler.run()
    /// print(recorder)                              // prints --1-[12]|
    /// print(recorder.marbles(frame: .seconds(2)))  // prints -1([12][| at 5.0 seconds])
    /// ```
    ///
    /// A value is drawn as its description, a Boolean as `t` or `f`, and an optional as its content or `[nil]`.
    ///
    /// An event between two frames is drawn with its time. So is an event after a long silence, of which only a part is
    /// drawn. A stream that has not ended is drawn up to the scheduler's current time.
    ///
    /// - Parameters:
    ///   - frame: The length of a frame. Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func marbles(frame: Duration = .seconds(1), file: StaticString = #fileID, line: UInt = #line) -> String {
        require(frame > .zero, "marbles(frame: \(frame)): the frame must be positive", file: file, line: line)
        let marks = events.map { timed in
            MarbleComparison.Mark(
                drawing: Self.drawing(of: timed.event, word: nil), name: "", time: beginning.duration(to: timed.time),
                identity: 0)
        }
        return MarbleComparison(frame: frame, expected: [], actual: marks)
            .drawing(until: hasTerminated ? nil : beginning.duration(to: scheduler.now))
    }

    /// Draws an event as part of a diagram.
    ///
    /// - Parameter word: The word for the value, if a diagram has one.
    static func drawing(of event: Event<Value, Failure>, word: String?) -> String {
        switch event {
        case .next(let value):
            let word = word ?? MarbleWord.of(value)
            let isPlain = word.count == 1 && word != "X" && word.allSatisfy { $0.isLetter || $0.isNumber }
            return isPlain ? word : "[\(word)]"
        case .error: return "X"
        case .completed: return "|"
        case .interrupted: return "!"
        }
    }
}

extension MarbleComparison {
    /// The longest silence that is drawn in full, in frames.
    private static let longestSilence = 40

    /// Draws the recorded events, and the silence after them until `end`.
    fileprivate func drawing(until end: Duration?) -> String {
        var line = ""
        var next = 0
        /// Draws the silence up to a frame. Returns whether it is too long to be drawn in full.
        func drawSilence(to position: Int) -> Bool {
            let count = max(0, position - next)
            let isLong = count > Self.longestSilence
            line += isLong ? "-...-" : String(repeating: "-", count: count)
            next = position
            return isLong
        }
        for mark in actual {
            let position = position(of: mark.time)
            // The frame of this event has just been drawn.
            if position < next { continue }
            let isLate = drawSilence(to: position)
            line += cell(actual, position, saysWhen: isLate)
            next += 1
        }
        if let end { _ = drawSilence(to: max(next, position(of: end))) }
        return line
    }
}
