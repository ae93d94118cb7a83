import HotSignals
import ReactiveSignals
import TestSupport
import Testing

// In processes of their own, because a hook concerns all streams of a process.
@Suite("Hooks of the process")
struct StreamHooksTests {
    @Test("the tap is notified of every start of a producer with a name, however it is started")
    func starts() async {
        await #expect(processExitsWith: .success) {
            let log = Log<String>()
            precondition(StreamHooks.tap == nil)
            StreamHooks.tap = RecordingTap(log)
            let producer = SignalProducer<Int, TestError>([1]).named("p")
            let infallible = SignalProducer<Int, Never>([1]).named("p")
            let whole = ["begin start p", "run", "next 1", "completed", "end", "ran"]

            func check(_ form: String, _ body: () async -> Void) async {
                log.removeAll()
                await body()
                precondition(log.all == whole, "\(form): \(log.all)")
            }

            await check("start()") { producer.start() }
            await check("start(_:)") { producer.start { _ in } }
            await check("start(observer)") { producer.start(Signal<Int, TestError>.Observer()) }
            await check("startWithResult") { producer.startWithResult { _ in } }
            await check("startWithCompleted") { producer.startWithCompleted {} }
            await check("startWithNext") { infallible.startWithNext { _ in } }
            await check("startWithSignal") { producer.startWithSignal { signal, _ in _ = signal.observe { _ in } } }
            await check("last") { _ = try? await producer.last() }
            await check("values") {
                for await _ in infallible.values(buffering: .unbounded) {}
            }
            await check("scope") {
                await withSignalScope { scope in _ = infallible.startWithNext(in: scope) { _ in } }
            }
            let target = MutableProperty(0)
            await check("<~") { target <~ infallible }
            await check("operators") { infallible.map { $0 }.start() }
            await check("inner streams") {
                SignalProducer<Int, Never>([5]).flatMap(.concat) { _ in infallible }.start()
            }
            await check("one value") { SignalProducer<Int, Never>(value: 1).named("p").start() }
            log.removeAll()
            SignalProducer<Int, Never>([1]).start()
            SignalProducer<Int, Never>([1]).named("p").startWithSignal { _, interrupter in interrupter.dispose() }
            precondition(log.all.isEmpty, "without a name, or disposed of: \(log.all)")
            StreamHooks.tap = nil
            producer.start()
            precondition(log.all.isEmpty)
        }
    }

    @Test("a tap that gives an action for values is not notified of them in another way", arguments: [true, false])
    func valueAction(givesAction: Bool) async {
        // An exit test captures nothing.
        if givesAction {
            await #expect(processExitsWith: .success) { checkValueAction(true) }
        } else {
            await #expect(processExitsWith: .success) { checkValueAction(false) }
        }
    }

    @Test("the hook is read when a start begins, and nothing is notified of a start that has begun before")
    func order() async {
        await #expect(processExitsWith: .success) {
            let log = Log<String>()
            let (signal, input) = Signal<Int, Never>.pipe()
            let producer = SignalProducer(signal).named("p")
            producer.start()
            StreamHooks.tap = RecordingTap(log)
            producer.start()
            StreamHooks.tap = nil
            producer.start()
            input.sendNext(1)
            input.sendCompleted()
            precondition(log.all == ["begin start p", "run", "ran", "next 1", "completed", "end"], "\(log.all)")
        }
    }

    @Test("errors that no closure of a start handles are reported")
    func unhandledErrors() async {
        await #expect(processExitsWith: .success) {
            let log = Log<String>()
            precondition(StreamHooks.onUnhandledError == nil)
            let producer = SignalProducer<Int, TestError>(error: TestError.first).named("load")
            producer.start()
            StreamHooks.onUnhandledError = { error, stream in log.append("\(stream.kind) \(stream.name): \(error)") }

            func check(_ form: String, isReported: Bool, _ body: () -> Void) {
                log.removeAll()
                body()
                precondition(log.all == (isReported ? ["start load: \(TestError.first)"] : []), "\(form): \(log.all)")
            }

            check("start()", isReported: true) { producer.start() }
            check("startWithCompleted", isReported: true) { producer.startWithCompleted {} }
            check("startWithInterrupted", isReported: true) { producer.startWithInterrupted {} }
            check("start(_:)", isReported: false) { producer.start { _ in } }
            check("startWithError", isReported: false) { producer.startWithError { _ in } }
            check("startWithResult", isReported: false) { producer.startWithResult { _ in } }
            check("an error that is handled before", isReported: false) {
                producer.flatMapError { _ in SignalProducer<Int, Never>.empty }.start()
            }
            check("an interruption", isReported: false) { SignalProducer<Int, TestError>.never.start().dispose() }
            StreamHooks.onUnhandledError = nil
            check("without the hook", isReported: false) { producer.start() }
        }
    }
}

/// A tap that may give an action for values.
private struct CountingTap: StreamTap {
    let tap: RecordingTap
    let givesAction: Bool

    func begin(_ stream: TappedStream) -> TappedStream { tap.begin(stream) }

    func run(_ work: () -> Void, in stream: TappedStream) { tap.run(work, in: stream) }

    func event<Value, Failure>(_ event: Event<Value, Failure>, in stream: TappedStream) { tap.event(event, in: stream) }

    func valueAction(in stream: TappedStream) -> (@Sendable () -> Void)? {
        tap.log.append("asked for an action of \(stream.name)")
        if !givesAction { return nil }
        return { [log = tap.log] in log.append("a value") }
    }

    func end(_ stream: TappedStream) { tap.end(stream) }
}

private func checkValueAction(_ givesAction: Bool) {
    let log = Log<String>()
    StreamHooks.tap = CountingTap(tap: RecordingTap(log), givesAction: givesAction)
    let handler = SignalProducer<Int, TestError> { observer, _ in
        [1, 2].forEach(observer.sendNext)
        observer.sendError(.first)
    }
    let expected = [
        "begin start p", "asked for an action of p", "run", givesAction ? "a value" : "next 1", "received 1",
        givesAction ? "a value" : "next 2", "received 2", "error first", "received error first", "end", "ran",
    ]
    let works = [
        ("a start handler", handler), ("a chain", handler.map { $0 }),
        ("a sequence", SignalProducer([1, 2]).concat(SignalProducer(error: .first))),
    ]
    for (work, producer) in works {
        log.removeAll()
        producer.named("p").start { log.append("received \($0.text)") }
        precondition(log.all == expected, "\(work): \(log.all)")
    }
    log.removeAll()
    handler.named("p").tapped(by: RecordingTap(log, "direct: ")).start()
    let values = log.all.filter { $0.hasSuffix("next 1") || $0 == "a value" }
    precondition(values.prefix(2) == [givesAction ? "a value" : "next 1", "direct: next 1"], "two taps: \(log.all)")
}
