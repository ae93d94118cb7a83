import HotSignals
import ReactiveSignals

extension TestObserver where Value: Equatable {
    /// The difference between the recording so far and a diagram, or `nil` if there is none.
    ///
    /// The first character of the diagram represents the moment at which the recording began. Values are compared with
    /// `==`, and so are errors if they are equatable. Other errors are compared by their text.
    ///
    /// - Parameter marbles: What is expected, and when. Events recorded after the last expected one are also a
    ///   difference.
    public func difference(from marbles: Marbles<Value, Failure>) -> MarbleDifference? {
        // Equal events are drawn the same way: with the word in the diagram, or with the word that it could have used.
        var known: [(event: Event<Value, Failure>, drawing: String)] = []
        func mark(_ event: Event<Value, Failure>, at time: Duration, word: String?) -> MarbleComparison.Mark {
            let index = known.firstIndex { areEqual($0.event, event) } ?? known.endIndex
            if index == known.endIndex {
                var drawing = Self.drawing(of: event, word: word)
                // Another value is already drawn this way.
                while event.value != nil, known.contains(where: { $0.drawing == drawing }) { drawing = "[\(drawing)']" }
                known.append((event, drawing))
            }
            let drawing = known[index].drawing
            return MarbleComparison.Mark(
                drawing: drawing, name: name(of: event, drawnAs: drawing), time: time, identity: index)
        }
        let expected = zip(marbles.events, marbles.words).map { mark($0.event, at: $0.time.offset, word: $1) }
        let actual = events.map { timed in
            let entry = marbles.entries.first { $0.value == timed.event.value }
            return mark(timed.event, at: beginning.duration(to: timed.time), word: entry?.word)
        }
        return MarbleComparison(frame: marbles.frame, expected: expected, actual: actual).difference
    }

    /// Whether the recording so far matches a diagram: see ``difference(from:)``.
    public func matches(_ marbles: Marbles<Value, Failure>) -> Bool { difference(from: marbles) == nil }

    /// Fails a test unless the recording so far matches a diagram.
    ///
    /// - Parameters:
    ///   - marbles: See ``difference(from:)``.
    ///   - file: The file that the error names.
    ///   - line: The line that the error names.
    /// - Throws: ``MarbleDifference``, which shows both as diagrams.
    public func expect(
        _ marbles: Marbles<Value, Failure>, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        guard var difference = difference(from: marbles) else { return }
        difference.location = "\(file):\(line)"
        throw difference
    }

    /// Fails a test unless the recording so far matches a diagram, whose words are looked up in `values`.
    ///
    /// ```swift
    /// try recorder.expect("--a-b|", values: ["a": 1, "b": 2])
    /// ```
    ///
    /// - Parameters:
    ///   - text: The diagram: see ``Marbles``.
    ///   - frame: The length of a frame.
    ///   - values: The values that the words represent.
    ///   - error: The error that `X` and `#` represent.
    ///   - file: The file that an error or a trap names.
    ///   - line: The line that an error or a trap names.
    /// - Throws: ``MarbleDifference``, or ``MarbleSyntaxError`` if the text is malformed.
    public func expect(
        _ text: String, frame: Duration = .seconds(1), values: MarbleValues<Value>, error: Failure? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let marbles = try Marbles(text, frame: frame, values: values, error: error, file: file, line: line)
        try expect(marbles, file: file, line: line)
    }

    private func areEqual(_ one: Event<Value, Failure>, _ other: Event<Value, Failure>) -> Bool {
        switch (one, other) {
        case (.next(let one), .next(let other)): one == other
        case (.error(let one), .error(let other)): areEqual(errors: one, other)
        case (.completed, .completed), (.interrupted, .interrupted): true
        default: false
        }
    }

    private func areEqual(errors one: Failure, _ other: Failure) -> Bool {
        guard let one = one as? any Equatable else { return String(reflecting: one) == String(reflecting: other) }
        return one.isEqual(to: other)
    }

    private func name(of event: Event<Value, Failure>, drawnAs drawing: String) -> String {
        switch event {
        case .next: "`\(drawing)`"
        case .error(let error): "the error \(error)"
        case .completed: "the completion"
        case .interrupted: "the interruption"
        }
    }
}

extension TestObserver where Value: Equatable & LosslessStringConvertible {
    /// Fails a test unless the recording so far matches a diagram whose words represent themselves: see
    /// ``expect(_:frame:values:error:file:line:)``.
    ///
    /// ```swift
    /// try recorder.expect("--1-[12]|")
    /// ```
    public func expect(
        _ text: String, frame: Duration = .seconds(1), error: Failure? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try expect(text, frame: frame, values: .literal, error: error, file: file, line: line)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
