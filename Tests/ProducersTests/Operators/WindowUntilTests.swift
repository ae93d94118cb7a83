import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("window(until:bufferLimit:whenFull:raising:)")
struct WindowUntilTests {
    private func arrays(_ script: String) -> [String] {
        played(script) { (a: Numbers, b: SignalProducer<Int, Never>) in
            a.window(until: b, bufferLimit: 10, whenFull: .dropOldest).flatMap(.concat) { $0.collect() }
        }
    }

    @Test("splits values like collect(until:), separately for each start")
    func splits() {
        expect(arrays("a1 a2 b1 b2 a3 a|"), is: ["[1, 2]", "[]", "[3]", "completed"])
        expect(arrays("a1 b1 a|"), is: ["[1]", "completed"])
        expect(arrays("a1 b| a2 a|"), is: ["[1, 2]", "completed"])
        expect(arrays("a1 b! a2 a|"), is: ["[1, 2]", "completed"])
        expect(arrays("a1 b1 a2 aX"), is: ["[1]", "error first"])
        expect(arrays("a1 a!"), is: ["interrupted"])
    }

    @Test("ends the open window with the source's terminal event, then the result", arguments: terminals)
    func ends(_ terminal: Event<Int, TestError>) {
        let (source, trigger) = (Manual(), Trigger())
        let log = Log<String>()
        source.producer.window(until: trigger.producer, bufferLimit: 1, whenFull: .dropOldest).start { event in
            guard let window = event.value else { return log.append(event.text) }
            log.append("window")
            window.start { log.append("in it: \($0.text)") }
        }
        source.input?.sendNext(1)
        trigger.input?.sendNext(0)
        source.input?.sendNext(2)
        source.input?.send(terminal)
        expect(
            log.all,
            is: [
                "window", "in it: 1", "in it: completed", "window", "in it: 2", "in it: \(terminal.text)",
                terminal.text,
            ])
        expect(trigger.disposals.value, is: 1)
    }

    /// The windows of a source that has sent 1, 2 and 3 into the first one, and the events of the result.
    private func filled(
        _ overflow: Overflow, raising error: TestError? = nil
    ) -> (windows: [Numbers], ends: Log<String>, input: Signal<Int, TestError>.Observer) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let windows = Log<Numbers>()
        let ends = Log<String>()
        signal.window(until: Signal<Int, Never>.never, bufferLimit: 2, whenFull: overflow, raising: error)
            .observe { event in
                if let window = event.value { windows.append(window) } else { ends.append(event.text) }
            }
        for value in 1...3 { input.sendNext(value) }
        return (windows.all, ends, input)
    }

    @Test("bounds what a window buffers until its first start")
    func bounds() {
        let oldest = filled(.dropOldest)
        let log = oldest.windows[0].logged()
        expect(log.all, is: ["2", "3"])
        for value in 4...9 { oldest.input.sendNext(value) }
        expect(log.count, is: 8, "a window that has been started buffers nothing")
        let newest = filled(.dropNewest)
        expect(newest.windows[0].logged().all, is: ["1", "2"])
        let failing = filled(.fail, raising: .second)
        expect(failing.ends.all, is: ["error second"])
        expect(failing.windows[0].logged().all, is: ["1", "2", "error second"])
        oldest.input.sendInterrupted()
        newest.input.sendInterrupted()
    }

    @Test("sends a window to an observer that disposes of the result meanwhile, and completes it")
    func disposalDuringDelivery() {
        let (source, trigger) = (Manual(), Trigger())
        let logs = Log<Log<String>>()
        source.producer.window(until: trigger.producer, bufferLimit: 1, whenFull: .dropOldest)
            .startDisposably { event, disposable in
                guard let window = event.value else { return }
                disposable.dispose()
                logs.append(window.logged())
            }
        source.input?.sendNext(1)
        expect(logs.all.map(\.all), is: [["1"]])
        expect(source.disposals.value, is: 0)
        trigger.input?.sendNext(0)
        expect(logs.all.map(\.all), is: [["1", "completed"]])
        expect([source.disposals.value, trigger.disposals.value], is: [1, 1])
    }

    @Test("has the operator's name")
    func name() {
        let window = Numbers.never.window(until: Numbers.never.materialize(), bufferLimit: 1, whenFull: .dropOldest)
        expect(window.name, is: "[never] -window(until:)")
    }

    @Test("traps unless the limit is positive, and for .fail without an error")
    func traps() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let never = SignalProducer<Int, Never>.never
            _ = Numbers.never.window(until: never, bufferLimit: 0, whenFull: .dropOldest)
        }
        zero.expectTrap("window(bufferLimit: 0): the limit must be positive")
        let error = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let never = Signal<Int, Never>.never
            _ = never.window(until: never, bufferLimit: 1, whenFull: .fail)
        }
        error.expectTrap("window(whenFull: .fail): the overflow .fail needs the parameter raising")
    }
}
