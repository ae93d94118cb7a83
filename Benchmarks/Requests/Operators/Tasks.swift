import ReactiveServer
import ReactiveSignals

/// An async sequence of one number.
private struct OneNumber: AsyncSequence, Sendable {
    let number: Int

    struct Iterator: AsyncIteratorProtocol {
        var number: Int?

        mutating func next() async -> Int? {
            defer { number = nil }
            return number
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(number: number) }
}

extension SignalProducer where Failure == Never {
    /// Starts the producer, and runs its tasks.
    fileprivate func runInTask() {
        let tasks = SerialTasks.shared
        startWithNext { use($0) }
        tasks.runAll()
    }
}

/// What runs tasks.
let taskRows: [Row] = [
    ("async(priority:_:)", { number in Numbers.async { work(number) }.runInTask() }),
    ("mapAsync(maxConcurrent:ordered:_:)", { handler($0).mapAsync(maxConcurrent: 2) { work($0) }.runInTask() }),
    ("init(_:), an async sequence", { Numbers(OneNumber(number: $0)).runInTask() }),
    (
        "unfold(_:async:)",
        { number in Numbers.unfold(number, async: { $0 == number ? ($0, $0 &+ 1) : nil }).runInTask() }
    ),
    (
        "init(pulling:maxConcurrent:_:)",
        { Numbers(pulling: OneNumber(number: $0), maxConcurrent: 2) { handler($0) }.runInTask() }
    ),
    (
        "init(pulling:maxConcurrent:drainWhen:_:giveBack:)",
        {
            Numbers(
                pulling: OneNumber(number: $0), maxConcurrent: 2, drainWhen: Numbers.never, { handler($0) },
                giveBack: { use($0) }
            )
            .runInTask()
        }
    ),
    (
        "buffer(upTo:whenFull:on:)",
        { Numbers(OneNumber(number: $0)).buffer(upTo: 2, whenFull: .suspend, on: inline).runInTask() }
    ),
    (
        "zip(with:bufferLimit:whenFull:)",
        {
            Numbers(OneNumber(number: $0)).zip(with: Numbers(OneNumber(number: 2)), bufferLimit: 1, whenFull: .suspend)
                .runInTask()
        }
    ),
    (
        "flatMap(_:_:), suspending",
        {
            Numbers(OneNumber(number: $0)).flatMap(.concat(waiting: 1, whenFull: .suspend)) { handler($0) }
                .runInTask()
        }
    ),
    (
        "flatten(_:)",
        {
            Numbers(OneNumber(number: $0)).map { handler($0) }.flatten(.concat(waiting: 1, whenFull: .suspend))
                .runInTask()
        }
    ),
    (
        "using(resource:release:producer:), async",
        { number in
            Numbers.using(
                resource: { number }, release: { (resource: Int) async -> Void in use(resource) },
                producer: { handler($0) }
            )
            .runInTask()
        }
    ),
]
