import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("take(during:) of producers")
struct TakeDuringTests {
    @Test("forwards everything during the lifetime, separately for each start")
    func follows() {
        let (lifetime, token) = Lifetime.make()
        expectFollows { $0.take(during: lifetime) }
        withExtendedLifetime(token) {}
    }

    @Test("completes every start when the lifetime ends, and cancels its work")
    func completes() {
        let (lifetime, token) = Lifetime.make()
        let source = ManualSource<TestError>()
        let producer = source.producer.take(during: lifetime)
        let logs = (0..<2).map { _ in producer.logged() }
        for (number, input) in source.inputs.all.enumerated() { input.sendNext(number) }
        #expect(source.ended.all.isEmpty)
        token.dispose()
        for input in source.inputs.all { input.sendNext(9) }
        expect(Set(source.ended.all), is: [0, 1])
        expect(logs.map(\.all), is: [["0", "completed"], ["1", "completed"]])
        source.inputs.removeAll()
    }

    @Test("completes without beginning the work when the lifetime has already ended")
    func ended() {
        let (lifetime, token) = Lifetime.make()
        let manual = Manual()
        let producer = manual.producer.take(during: lifetime)
        token.dispose()
        for _ in 0..<2 { expect(producer.logged().all, is: ["completed"]) }
        expect(Numbers(value: 1).take(during: .empty).logged().all, is: ["completed"])
        expect(manual.starts.value, is: 0)
    }

    @Test("stops an endless source when the lifetime ends inside a delivery")
    func endless() {
        let (lifetime, token) = Lifetime.make()
        let asked = Counter()
        let log = Log<String>()
        Numbers(CountedNumbers(asked)).take(during: lifetime).start { event in
            log.append(event.text)
            if event.value == 2 { token.dispose() }
        }
        expect(log.all, is: ["0", "1", "2", "completed"])
        expect(asked.value, is: 3)
    }

    @Test("holds nothing once it has ended, even while the lifetime continues")
    func releases() {
        let (lifetime, token) = Lifetime.make()
        expectReleases { source, member in source.on(terminated: { member.touch() }).take(during: lifetime) }
        withExtendedLifetime(token) {}
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.take(during: .empty).name, is: "[never] -take(during:)")
    }
}
