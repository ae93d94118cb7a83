import ReactiveSignals
import TestSupport
import Testing

@Suite("attempt")
struct AttemptTests {
    /// A named function, whose error type the compiler infers.
    @Sendable
    private static func check(_ value: Int) throws(TestError) {
        if value == 3 { throw .second }
    }

    @Sendable
    private static func checkResult(_ value: Int) -> Result<Void, TestError> {
        value == 3 ? .failure(.second) : .success(())
    }

    /// Both forms with the same check, each calling an action first.
    private static let forms: [@Sendable (Source, @escaping @Sendable (Int) -> Void) -> Source] = [
        { source, action in
            source.attempt { value throws(TestError) in
                action(value)
                try check(value)
            }
        },
        { source, action in
            source.attempt { value in
                action(value)
                return checkResult(value)
            }
        },
    ]

    private func attempted(_ values: [Int], _ ending: Event<Int, TestError>?) -> [String] {
        values.map { $0 == 3 ? "error second" : "\($0)" } + [ending?.text].compactMap(\.self)
    }

    @Test("sends each value for which the action succeeds, and at the first error fails and releases the source")
    func attempts() {
        expectModel {
            $0.attempt(Self.check)
        } does: {
            attempted($0, $1)
        }
        expectModel {
            $0.attempt(Self.checkResult)
        } does: {
            attempted($0, $1)
        }
    }

    @Test("runs the action once per value for any number of observers, and not after an error")
    func runsOnce() {
        for form in Self.forms {
            let (source, input) = Source.pipe()
            let runs = Log<Int>()
            let result = form(source) { runs.append($0) }
            let logs = (0..<3).map { _ in result.logged() }
            for value in [1, 2, 3, 4, 3] { input.sendNext(value) }
            expect(runs.all, is: [1, 2, 3])
            for log in logs { expect(log.all, is: ["1", "2", "error second"]) }
        }
    }

    @Test("runs the action and fails even without observers")
    func unobserved() {
        for form in Self.forms {
            let (source, input) = Source.pipe()
            let result = form(source) { _ in }
            input.sendNext(3)
            expect(result.logged().all, is: ["interrupted"])
        }
    }

    @Test("sends a value after the action returns")
    func order() {
        for form in Self.forms {
            let (source, input) = Source.pipe()
            let log = Log<String>()
            let result = form(source) { log.append("attempts \($0)") }
            result.observe { log.append($0.text) }
            for value in [1, 3] { input.sendNext(value) }
            expect(log.all, is: ["attempts 1", "1", "attempts 3", "error second"])
        }
    }

    @Test("drops events after the error, including re-entrant ones")
    func reentrant() {
        for form in Self.forms {
            let (source, input) = Source.pipe()
            let log = Log<String>()
            let runs = Log<Int>()
            form(source) { runs.append($0) }.observe { event in
                log.append(event.text)
                input.sendNext(3)
                input.sendNext(4)
            }
            input.sendNext(1)
            expect(log.all, is: ["1", "error second"])
            expect(runs.all, is: [1, 3])
        }
    }

    @Test("accepts an action that throws any error, or none")
    func otherErrors() {
        let (source, input) = Signal<Int, any Error>.pipe()
        let log = source.attempt { value in if value == 2 { throw TestError.first } }.logged()
        for value in 1...3 { input.sendNext(value) }
        expect(log.all, is: ["1", "error first"])

        let (infallible, infallibleInput) = Signal<Int, Never>.pipe()
        let runs = Counter()
        let other = infallible.attempt { _ in runs.increment() }.logged()
        infallibleInput.sendNext(1)
        expect(other.all, is: ["1"])
        expect(runs.value, is: 1)
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

    @Test("fails when its closure returns a failure, for any success type")
    func results() {
        let half: @Sendable (Int) -> Result<Int, TestError> = { $0 == 2 ? .failure(.second) : .success($0 / 2) }
        for attempt: (Source) -> Source in [{ $0.attempt { half($0) } }, { $0.attempt(half) }] {
            let (source, input) = Source.pipe()
            let log = attempt(source).logged()
            for number in 1...3 { input.sendNext(number) }
            expect(log.all, is: ["1", "error second"])
        }
    }

    @Test("adopts its closure's error type when the source cannot fail")
    func promotes() {
        let half: @Sendable (Int) -> Result<Int, TestError> = { $0 == 2 ? .failure(.second) : .success($0 / 2) }
        let (source, input) = Signal<Int, Never>.pipe()
        let any: Signal<Int, any Error> = source.attempt { if $0 == 2 { throw TestError.second } }
        let result: Source = source.attempt { half($0) }
        let statements: Source = source.attempt { number in
            guard number != 2 else { return .failure(.second) }
            return .success(())
        }
        let logs = [any.logged(), result.logged(), statements.logged()]
        for number in 1...3 { input.sendNext(number) }
        for log in logs { expect(log.all, is: ["1", "error second"]) }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.attempt(Self.check).name, is: "[never] -attempt:")
        expect(Source.never.attempt(Self.checkResult).name, is: "[never] -attempt:")
    }
}
