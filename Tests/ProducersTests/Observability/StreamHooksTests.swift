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
