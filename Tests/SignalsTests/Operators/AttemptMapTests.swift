import ReactiveSignals
import TestSupport
import Testing

@Suite("attemptMap")
struct AttemptMapTests {
    /// A named function, whose error type the compiler infers.
    @Sendable
    private static func halve(_ value: Int) throws(TestError) -> String {
        if value == 3 { throw .second }
        return "half of \(value)"
    }

    @Sendable
    private static func halveResult(_ value: Int) -> Result<String, TestError> {
        Result { () throws(TestError) in try halve(value) }
    }

    /// Both forms with the same transformation, each calling an action first.
    private static let forms: [@Sendable (Source, @escaping @Sendable (Int) -> Void) -> Signal<String, TestError>] = [
        { source, action in
            source.attemptMap { value throws(TestError) in
                action(value)
                return try halve(value)
            }
        },
        { source, action in
            source.attemptMap { value in
                action(value)
                return halveResult(value)
            }
        },
    ]

    private func halved(_ values: [Int], _ ending: Event<Int, TestError>?) -> [String] {
        values.map { $0 == 3 ? "error second" : "half of \($0)" } + [ending?.text].compactMap(\.self)
    }

    @Test("sends each transformed value, and at the first error fails and releases the source")
    func transforms() {
        expectModel {
            $0.attemptMap(Self.halve)
        } does: {
            halved($0, $1)
        }
        expectModel {
            $0.attemptMap(Self.halveResult)
        } does: {
            halved($0, $1)
        }
    }

    @Test("calls its closure once per value for any number of observers, and not after an error")
    func callsOnce() {
        for form in Self.forms {
            let (source, input) = Source.pipe()
            let calls = Log<Int>()
            let result = form(source) { calls.append($0) }
            let logs = (0..<3).map { _ in result.logged() }
            for value in [1, 2, 3, 4, 3] { input.sendNext(value) }
            expect(calls.all, is: [1, 2, 3])
            for log in logs { expect(log.all, is: ["half of 1", "half of 2", "error second"]) }
        }
    }

    @Test("calls its closure and fails even without observers")
    func unobserved() {
        for form in Self.forms {
            let (source, input) = Source.pipe()
            let result = form(source) { _ in }
            input.sendNext(3)
            expect(result.logged().all, is: ["interrupted"])
        }
    }

    @Test("drops events after the error, including re-entrant ones")
    func reentrant() {
        for form in Self.forms {
            let (source, input) = Source.pipe()
            let log = Log<String>()
            let calls = Log<Int>()
            form(source) { calls.append($0) }.observe { event in
                log.append(event.text)
                input.sendNext(3)
                input.sendNext(4)
            }
            input.sendNext(1)
            expect(log.all, is: ["half of 1", "error second"])
            expect(calls.all, is: [1, 3])
        }
    }

    @Test("can transform into an optional and send nil")
    func optional() {
        let (source, input) = Source.pipe()
        let log = source.attemptMap { value throws(TestError) -> Int? in value > 1 ? value : nil }.logged()
        for value in 1...2 { input.sendNext(value) }
        expect(log.all, is: ["nil", "Optional(2)"])
        withExtendedLifetime(input) {}
    }

    @Test("accepts a transformation that throws any error, or none")
    func otherErrors() {
        let (source, input) = Signal<Int, any Error>.pipe()
        let log = source.attemptMap { value in
            if value == 2 { throw TestError.first }
            return value * 10
        }.logged()
        for value in 1...3 { input.sendNext(value) }
        expect(log.all, is: ["10", "error first"])

        let (infallible, infallibleInput) = Signal<Int, Never>.pipe()
        let other = infallible.attemptMap { $0 * 10 }.logged()
        infallibleInput.sendNext(1)
        expect(other.all, is: ["10"])
        withExtendedLifetime(infallibleInput) {}
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { for form in Self.forms { expectForwardsTerminals { form($0) { _ in } } } }

    @Test("releases its closure when the source ends")
    func releases() {
        for form in Self.forms {
            expectReleasesClosure { source, member in form(source) { _ in member.touch() } }
        }
    }

    @Test("adopts its closure's error type when the source cannot fail")
    func promotes() {
        let half: @Sendable (Int) -> Result<Int, TestError> = { $0 == 2 ? .failure(.second) : .success($0 * 2) }
        let (source, input) = Signal<Int, Never>.pipe()
        let any: Signal<Int, any Error> = source.attemptMap { try half($0).get() }
        let result = source.attemptMap { half($0) }
        let logs = [any.logged(), result.logged()]
        for number in 1...3 { input.sendNext(number) }
        for log in logs { expect(log.all, is: ["2", "error second"]) }
        expect(source.attemptMap { $0 * 2 }.name, is: "[pipe] -attemptMap:")
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.attemptMap(Self.halve).name, is: "[never] -attemptMap:")
        expect(Source.never.attemptMap(Self.halveResult).name, is: "[never] -attemptMap:")
    }
}
