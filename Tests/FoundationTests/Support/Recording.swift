import Foundation
import ReactiveSignals
import TestSupport

/// The events of a start, for a test that waits for them.
final class Recording<Value: Sendable, Failure: Error>: Sendable {
    let events = Log<Event<Value, Failure>>()

    var values: [Value] { events.all.compactMap(\.value) }
    var error: Failure? { events.all.compactMap(\.error).first }
    var texts: [String] { events.all.map(\.text) }
    var hasEnded: Bool { events.all.last?.isTerminating == true }

    /// Waits for a terminal event.
    ///
    /// - Returns: This recording.
    @discardableResult
    func ended(file: StaticString = #fileID, line: UInt = #line) async -> Recording {
        if await eventually({ hasEnded }) { return self }
        fatalError("the test hangs: no terminal event in \(texts)", file: file, line: line)
    }

    /// Waits until there are at least `count` values.
    @discardableResult
    func received(_ count: Int, file: StaticString = #fileID, line: UInt = #line) async -> Recording {
        if await eventually({ values.count >= count || hasEnded }), values.count >= count { return self }
        fatalError("the test hangs: fewer than \(count) values in \(texts)", file: file, line: line)
    }
}

extension SignalProducer {
    /// Starts the producer, and records its events.
    func recorded() -> (recording: Recording<Value, Failure>, disposable: any Disposable) {
        let recording = Recording<Value, Failure>()
        return (recording, start { recording.events.append($0) })
    }
}
