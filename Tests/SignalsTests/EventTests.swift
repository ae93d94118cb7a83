import Foundation
import ReactiveSignals
import TestSupport
import Testing

@Suite("Event")
struct EventTests {
    private let all: [Event<Int, TestError>] = [.next(1), .error(.first), .completed, .interrupted]

    @Test("knows which events are terminal")
    func terminating() { expect(all.map(\.isTerminating), is: [false, true, true, true]) }

    @Test("knows which event is a completion")
    func completed() { expect(all.map(\.isCompleted), is: [false, false, true, false]) }

    @Test("has a value for next only")
    func value() { expect(all.map(\.value), is: [1, nil, nil, nil]) }

    @Test("has an error for error only")
    func error() { expect(all.map(\.error), is: [nil, .first, nil, nil]) }

    @Test("treats nil as a value")
    func nilValue() {
        let event = Event<Int?, Never>.next(nil)
        expect(event.value, is: .some(nil))
        #expect(Event<Int?, Never>.completed.value == .none)
    }

    @Test("maps the value only")
    func map() {
        let mapped = all.map { $0.map { "\($0 + 1)" } }
        expect(mapped, is: [.next("2"), .error(.first), .completed, .interrupted])
        let calls = Counter()
        for event in all { _ = event.map { _ in calls.increment() } }
        expect(calls.value, is: 1)
    }

    @Test("maps the error only")
    func mapError() {
        let mapped = all.map { $0.mapError { _ in TestError.second } }
        expect(mapped, is: [.next(1), .error(.second), .completed, .interrupted])
        let calls = Counter()
        for event in all {
            _ = event.mapError { error in
                calls.increment()
                return error
            }
        }
        expect(calls.value, is: 1)
    }

    @Test("is equal to the same event only")
    func equality() {
        for (first, a) in all.enumerated() {
            for (second, b) in all.enumerated() { #expect((a == b) == (first == second)) }
        }
        #expect(Event<Int, TestError>.next(1) != .next(2))
        #expect(Event<Int, TestError>.error(.first) != .error(.second))
    }

    @Test("can be stored in sets")
    func hashing() { expect(Set(all + all).count, is: 4) }

    @Test("can be encoded and decoded")
    func coding() throws {
        struct Failure: Error, Codable, Equatable { let code: Int }
        let events: [Event<Int, Failure>] = [.next(1), .error(Failure(code: 2)), .completed, .interrupted]
        let data = try JSONEncoder().encode(events)
        #expect(try JSONDecoder().decode([Event<Int, Failure>].self, from: data) == events)
    }

    @Test("describes itself as loggers print it")
    func description() {
        expect(all.map(\.description), is: ["NEXT 1", "ERROR first", "COMPLETED", "INTERRUPTED"])
    }
}
