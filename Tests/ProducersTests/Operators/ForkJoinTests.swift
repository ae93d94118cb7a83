import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

private let forms: [@Sendable (Numbers, Numbers) -> SignalProducer<String, TestError>] = [
    { Numbers.forkJoin([$0, $1]).map { "\($0[0]) \($0[1])" } },
    { SignalProducer.forkJoin($0, $1).map { "\($0.0) \($0.1)" } },
]

@Suite("forkJoin")
struct ForkJoinTests {
    @Test("sends the last values once all have completed", arguments: forms.indices)
    func joins(form: Int) {
        let join = forms[form]
        expect(played("a1 b2 a3 a| b4 b|", join), is: ["3 4", "completed"])
        expect(played("a1 b2 b| a|", join), is: ["1 2", "completed"])
        expect(played("a1 b2 a|", join), is: [])
    }

    @Test("ends with the first input that fails, is interrupted or completes without a value", arguments: forms.indices)
    func ends(form: Int) {
        let join = forms[form]
        expect(played("a1 a| b2 bX", join), is: ["error first"])
        expect(played("a1 b!", join), is: ["interrupted"])
        expect(played("b|", join), is: ["completed"])
    }

    @Test("keeps to its concurrency limit, and keeps the order of the results")
    func limit() {
        let inputs = (0..<4).map { _ in Manual() }
        let log = Numbers.forkJoin(inputs.map(\.producer), maxConcurrent: 2).logged()
        expect(inputs.map(\.starts.value), is: [1, 1, 0, 0])
        for index in [1, 0, 3, 2] {
            inputs[index].input?.sendNext(index)
            inputs[index].input?.sendCompleted()
        }
        expect(log.all, is: ["[0, 1, 2, 3]", "completed"])
        expect(inputs.map(\.disposals.value), is: [1, 1, 1, 1])
    }

    @Test("starts no input after a failure")
    func failure() {
        let inputs = (0..<3).map { _ in Manual() }
        let log = Numbers.forkJoin(inputs.map(\.producer), maxConcurrent: 2).logged()
        inputs[0].input?.sendError(.second)
        expect(log.all, is: ["error second"])
        expect(inputs.map(\.starts.value), is: [1, 1, 0])
        expect(inputs.map(\.disposals.value), is: [1, 1, 0])
    }

    @Test("accepts producers that end immediately, a tuple of any types, or no producers")
    func synchronous() {
        expect(Numbers.forkJoin([Numbers([1, 2]), Numbers(value: 3)]).logged().all, is: ["[2, 3]", "completed"])
        expect(Numbers.forkJoin([]).logged().all, is: ["completed"])
        let text = SignalProducer<String, TestError>(value: "a")
        let tuple = SignalProducer.forkJoin(text, Numbers([1, 2]), SignalProducer<Bool, TestError>(value: true))
        #expect(tuple.logged().all == [#"("a", 2, true)"#, "completed"])
        let many = Numbers.forkJoin((0..<10_000).map { Numbers(value: $0) }, maxConcurrent: 1)
            .map { $0.reduce(0, +) }
        expect(many.logged().all, is: ["49995000", "completed"])
    }

    @Test("interrupts all inputs on disposal")
    func disposal() {
        let inputs = (0..<3).map { _ in Manual() }
        let (log, disposable) = Numbers.forkJoin(inputs.map(\.producer)).startLogged()
        disposable.dispose()
        expect(log.all, is: ["interrupted"])
        expect(inputs.map(\.disposals.value), is: [1, 1, 1])
    }

    @Test("is named after its inputs")
    func name() {
        let (a, b) = (Numbers.never.named("a"), Numbers.never.named("b"))
        expect(Numbers.forkJoin([a, b]).name, is: "+forkJoin: (a, b)")
    }

    @Test("traps unless the limit is positive")
    func notPositive() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.forkJoin([Numbers.never], maxConcurrent: 0)
        }
        zero.expectTrap("forkJoin(maxConcurrent: 0)")
    }
}
