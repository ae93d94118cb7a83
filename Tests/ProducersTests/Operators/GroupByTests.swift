import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("groupBy(_:)")
struct GroupByTests {
    @Test("sends one group per key, and forwards each value to its group")
    func groups() {
        let log = Log<String>()
        let numbers = Numbers([1, 2, 3, 4, 5])
        numbers.groupBy { $0 % 2 }.start { event in
            guard let group = event.value else { return log.append(event.text) }
            log.append("group \(group.key)")
            group.producer.start { log.append("\(group.key): \($0.text)") }
        }
        expect(
            log.all,
            is: [
                "group 1", "1: 1", "group 0", "0: 2", "1: 3", "0: 4", "1: 5", "completed", "1: completed",
                "0: completed",
            ])
    }

    @Test("buffers a group's values until its first start")
    func holds() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let groups = Log<Group<Int, Int, TestError>>()
        signal.groupBy { $0 % 2 }.observe { event in
            if let group = event.value { groups.append(group) }
        }
        for number in 1...4 { input.sendNext(number) }
        expect(groups.all.map(\.key), is: [1, 0])
        let first = groups.all[0].producer.logged()
        expect(first.all, is: ["1", "3"])
        let second = groups.all[0].producer.logged()
        input.sendNext(5)
        input.sendError(.first)
        expect(first.all, is: ["1", "3", "5", "error first"])
        expect(second.all, is: ["5", "error first"])
        expect(groups.all[1].producer.logged().all, is: ["2", "4", "error first"])
    }

    @Test("does not make a sender wait for a start of a group if the source enqueues under contention")
    func contention() {
        let (signal, input) = Signal<Int, Never>.pipe(contention: .enqueue)
        let (hotGroups, coldGroups) = (Log<Group<Int, Int, Never>>(), Log<Group<Int, Int, Never>>())
        signal.groupBy { $0 }.observeNext { hotGroups.append($0) }
        signal.producer.groupBy { $0 }.startWithNext { coldGroups.append($0) }
        input.sendNext(1)
        for group in [hotGroups.all[0], coldGroups.all[0]] {
            let (isJoining, mayGoOn) = (Latch("the replay"), Latch("the sender"))
            let log = Log<Int>()
            let starter = TestThread("starter") {
                group.producer.startWithNext { value in
                    log.append(value)
                    isJoining.open()
                    mayGoOn.wait()
                }
            }
            isJoining.wait()
            TestThread("a sender that waits for a start") { input.sendNext(1) }.join()
            mayGoOn.open()
            starter.join()
            // A start does not deliver what another thread has sent in the meantime. That arrives on a separate
            // thread.
            #expect(becomesTrue { log.all.prefix(2) == [1, 1] })
        }
    }

    @Test("sends groups that can be flattened, as they are streams")
    func flattens() {
        let log = Numbers([1, 2, 3]).groupBy { $0 % 2 }
            .flatMap(.merge) { group in group.producer.map { "\(group.key)-\($0)" } }
            .logged()
        expect(log.all, is: ["1-1", "0-2", "1-3", "completed"])
    }

    @Test("has the operator's name") func name() { expect(Numbers.never.groupBy { $0 }.name, is: "[never] -groupBy:") }
}
