import ReactiveSignals
import TestSupport
import Testing

@Suite("mapError")
struct MapErrorTests {
    private struct Failed: Error {
        let cause: TestError
    }

    @Test("transforms the error, and forwards all other events")
    func transforms() {
        expectModel {
            $0.mapError { Failed(cause: $0) }
        } does: { values, ending in
            let end: String? =
                switch ending {
                case .error(let error): "error \(Failed(cause: error))"
                default: ending?.text
                }
            return values.map(String.init) + [end].compactMap(\.self)
        }
    }

    @Test("has the closure's error type")
    func type() {
        #expect(Swift.type(of: Source.never.mapError { Failed(cause: $0) }) == Signal<Int, Failed>.self)
        #expect(
            Swift.type(of: Source.never.mapError { $0 as any Error }) == Signal<Int, any Error>.self)
    }

    @Test("calls its closure once per error for any number of observers, and for no other event")
    func callsOnce() {
        for ending in [Event<Int, TestError>.error(.first), .completed, .interrupted] {
            let (source, input) = Source.pipe()
            let calls = Counter()
            let result = source.mapError { _ in
                calls.increment()
                return TestError.second
            }
            let logs = (0..<3).map { _ in result.logged() }
            input.sendNext(1)
            expect(calls.value, is: 0)
            input.send(ending)
            input.sendError(.first)
            #expect(calls.value == (ending == .error(.first) ? 1 : 0))
            for log in logs { expect(log.all, is: ["1", ending == .error(.first) ? "error second" : ending.text]) }
        }
    }

    @Test("does not call its closure if the source has already failed")
    func ended() {
        let calls = Counter()
        let result = terminated(.error(.first)).mapError { error in
            calls.increment()
            return error
        }
        expect(result.logged().all, is: ["interrupted"])
        expect(calls.value, is: 0)
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.mapError { $0 } } }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.mapError { error in
                member.touch()
                return error
            }
        }
    }

    @Test("has the operator's name")
    func name() { expect(Source.never.mapError { $0 }.name, is: "[never] -mapError:") }
}
