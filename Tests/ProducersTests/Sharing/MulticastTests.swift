import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("multicast(replay:)")
struct MulticastTests {
    @Test("does nothing before it is connected, then does the work once")
    func connect() {
        let manual = Manual()
        let connection = manual.producer.multicast(replay: 1)
        let (first, second) = (connection.producer.logged(), connection.producer.logged())
        expect(manual.starts.value, is: 0)
        let disposable = connection.connect()
        #expect(connection.connect() === disposable)
        expect(manual.starts.value, is: 1)
        manual.input?.sendNext(1)
        let third = connection.producer.logged()
        manual.input?.sendCompleted()
        expect(first.all, is: ["1", "completed"])
        expect(second.all, is: first.all)
        expect(third.all, is: first.all)
    }

    @Test("interrupts all starts when the connection is disposed of")
    func dispose() {
        let manual = Manual()
        let connection = manual.producer.multicast()
        let log = connection.producer.logged()
        connection.connect().dispose()
        expect(log.all, is: ["interrupted"])
        expect(manual.disposals.value, is: 1)
        expect(connection.producer.logged().all, is: ["interrupted"])
    }

    @Test("goes on for its starts when the connection is released, and cancels the work with the last start")
    func released() {
        let manual = Manual()
        var connection: Connection<Int, TestError>? = manual.producer.multicast()
        connection?.connect()
        let start = connection!.producer.startLogged()
        connection = nil
        manual.input?.sendNext(1)
        expect(start.log.all, is: ["1"])
        start.disposable.dispose()
        expect(manual.disposals.value, is: 1)
    }

    @Test("autoconnect connects at the first start")
    func autoconnect() {
        let manual = Manual()
        let producer = manual.producer.multicast().autoconnect()
        expect(manual.starts.value, is: 0)
        let (first, second) = (producer.startLogged(), producer.startLogged())
        expect(manual.starts.value, is: 1)
        manual.input?.sendNext(1)
        first.disposable.dispose()
        manual.input?.sendNext(2)
        expect(first.log.all, is: ["1", "interrupted"])
        expect(second.log.all, is: ["1", "2"])
        manual.input?.sendCompleted()
    }

    @Test("traps when the capacity is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.multicast(replay: -1)
        }
        result.expectTrap("multicast(replay: -1)")
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.multicast().producer.name, is: "[never] -multicast") }
}
