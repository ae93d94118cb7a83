import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("window(count:)")
struct WindowCountTests {
    private func windows(_ source: Numbers, _ count: Int) -> [String] {
        let log = Log<String>()
        let number = Counter()
        source.window(count: count).start { event in
            guard let window = event.value else { return log.append(event.text) }
            let name = number.increment()
            log.append("window \(name)")
            window.start { log.append("\(name): \($0.text)") }
        }
        return log.all
    }

    @Test("sends a window before its first value, and completes it with its last one")
    func splits() {
        expect(
            windows(Numbers([1, 2, 3]), 2),
            is: [
                "window 1", "1: 1", "1: 2", "1: completed", "window 2", "2: 3", "2: completed", "completed",
            ])
        expect(windows(Numbers([1]), 1), is: ["window 1", "1: 1", "1: completed", "completed"])
        expect(windows(.empty, 2), is: ["completed"])
    }

    @Test("ends the open window with the source's terminal event, then the result", arguments: terminals)
    func ends(_ terminal: Event<Int, TestError>) {
        let source = Numbers { observer, _ in
            observer.sendNext(1)
            observer.send(terminal)
        }
        expect(windows(source, 2), is: ["window 1", "1: 1", "1: \(terminal.text)", terminal.text])
    }

    @Test("buffers the values of a window until its first start")
    func buffers() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let windows = Log<Numbers>()
        signal.window(count: 3).observe { if let window = $0.value { windows.append(window) } }
        for value in 1...5 { input.sendNext(value) }
        expect(windows.all[0].logged().all, is: ["1", "2", "3", "completed"])
        expect(windows.all[0].logged().all, is: ["completed"])
        let open = windows.all[1].logged()
        expect(open.all, is: ["4", "5"])
        input.sendNext(6)
        expect(open.all, is: ["4", "5", "6", "completed"])
    }

    @Test("stops an endless source when the result ends")
    func endless() {
        let numbers = Endless()
        let log = Numbers(numbers).window(count: 2).flatMap(.concat) { $0.collect() }.take(first: 2).logged()
        expect(log.all, is: ["[1, 2]", "[3, 4]", "completed"])
        expect(numbers.computed.value, is: 4)
    }

    @Test("is called by its count")
    func name() {
        expect(Numbers.never.window(count: 2).name, is: "[never] -window(count: 2)")
    }

    @Test("traps unless the count is positive")
    func notPositive() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.window(count: 0)
        }
        zero.expectTrap("window(count: 0): the count must be positive")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.window(count: -1)
        }
        negative.expectTrap("window(count: -1)")
    }
}
