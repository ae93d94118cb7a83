import Dispatch
import FetcherKit
import NIOConcurrencyHelpers
import ReactiveSignals
import Testing

@Suite("The slots that requests wait for")
struct SlotsTests {
    /// Work that runs until the test ends it.
    private final class Job: Sendable {
        let name: String
        private let pipe = Signal<String, FetchError>.pipe()
        private let state = MutableProperty(false)

        init(_ name: String) { self.name = name }

        var isUnderWay: Bool { state.value }

        var work: SignalProducer<String, FetchError> {
            SignalProducer(pipe.output).on(
                starting: { [self] in state.value = true }, disposed: { [self] in state.value = false })
        }

        func end() { pipe.input.sendCompleted() }
    }

    private func jobs(_ names: String...) -> [Job] { names.map { Job($0) } }

    @Test("admits as many requests as there are slots, and the next one when one ends")
    func limit() {
        let slots = Slots<String>(limit: 2, perHost: 2)
        let jobs = jobs("a", "b", "c")
        for job in jobs { slots.admit(to: "h", isContinued: false, job.work).start() }
        #expect(jobs.map(\.isUnderWay) == [true, true, false])
        jobs[0].end()
        #expect(jobs.map(\.isUnderWay) == [false, true, true])
    }

    @Test("a host without a free slot does not block others")
    func perHost() {
        let slots = Slots<String>(limit: 3, perHost: 1)
        let jobs = jobs("a", "b", "c")
        for (job, host) in zip(jobs, ["h", "h", "other"]) {
            slots.admit(to: host, isContinued: false, job.work).start()
        }
        #expect(jobs.map(\.isUnderWay) == [true, false, true])
        jobs[2].end()
        #expect(jobs.map(\.isUnderWay) == [true, false, false])
        jobs[0].end()
        #expect(jobs.map(\.isUnderWay) == [false, true, false])
    }

    @Test("hosts take turns")
    func turns() {
        let slots = Slots<String>(limit: 1, perHost: 1)
        let order = Collected<String>()
        let blocker = Job("first")
        slots.admit(to: "x", isContinued: false, blocker.work).start()
        for (host, name) in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("b", "b2"), ("c", "c1")] {
            slots.admit(to: host, isContinued: false, SignalProducer<String, FetchError>(value: name))
                .start { if case .next(let name) = $0 { order.append(name) } }
        }
        blocker.end()
        #expect(order.all == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test("continued work goes before new work")
    func isContinued() {
        let slots = Slots<String>(limit: 1, perHost: 1)
        let jobs = jobs("a", "new", "continued")
        slots.admit(to: "h", isContinued: false, jobs[0].work).start()
        slots.admit(to: "h", isContinued: false, jobs[1].work).start()
        slots.admit(to: "h", isContinued: true, jobs[2].work).start()
        jobs[0].end()
        #expect(jobs.map(\.isUnderWay) == [false, false, true])
    }

    @Test("disposing leaves the queue, or releases the slot")
    func disposal() {
        let slots = Slots<String>(limit: 1, perHost: 1)
        let jobs = jobs("a", "b", "c")
        let starts = jobs.map { slots.admit(to: "h", isContinued: false, $0.work).start() }
        starts[1].dispose()
        #expect(jobs.map(\.isUnderWay) == [true, false, false])
        starts[0].dispose()
        #expect(jobs.map(\.isUnderWay) == [false, false, true])
        starts[0].dispose()
        starts[1].dispose()
        #expect(jobs.map(\.isUnderWay) == [false, false, true])
    }

    @Test("an error releases the slot, and is forwarded")
    func error() {
        let slots = Slots<String>(limit: 1, perHost: 1)
        let next = Job("next")
        let errors = Collected<FetchError>()
        slots.admit(to: "h", isContinued: false, SignalProducer<String, FetchError>(error: .status(500)))
            .startWithError { errors.append($0) }
        slots.admit(to: "h", isContinued: false, next.work).start()
        #expect(errors.all == [.status(500)])
        #expect(next.isUnderWay)
    }

    @Test("when closed, running requests continue, and the others are refused when it is their turn")
    func closing() {
        let slots = Slots<String>(limit: 1, perHost: 1)
        let jobs = jobs("a", "b", "c")
        let refused = Collected<String>()
        func start(_ job: Job) {
            slots.admit(to: "h", isContinued: false, job.work).startWithError { error in
                #expect(error == .stopped)
                refused.append(job.name)
            }
        }
        start(jobs[0])
        start(jobs[1])
        slots.close()
        start(jobs[2])
        #expect(jobs.map(\.isUnderWay) == [true, false, false])
        #expect(!slots.isDrained.value)
        jobs[0].end()
        #expect(refused.all == ["b", "c"])
        #expect(slots.isDrained.value)
        #expect(jobs.map(\.isUnderWay) == [false, false, false])
    }

    @Test("refuses immediately if all slots are free when closed")
    func closed() {
        let slots = Slots<String>(limit: 1, perHost: 1)
        slots.close()
        let errors = Collected<FetchError>()
        slots.admit(to: "h", isContinued: false, Job("late").work).startWithError { errors.append($0) }
        #expect(errors.all == [.stopped])
    }

    @Test("drains immediately if it is empty when closed")
    func closingEmpty() {
        let slots = Slots<String>(limit: 1, perHost: 1)
        #expect(!slots.isDrained.value)
        slots.close()
        #expect(slots.isDrained.value)
    }

    @Test("with many threads and disposals, it never exceeds the limit, and admits every request that stayed")
    func race() {
        for _ in 0..<50 {
            let slots = Slots<String>(limit: 3, perHost: 2)
            let counts = NIOLockedValueBox((all: 0, mostAll: 0, byHost: [String: Int](), mostByHost: 0))
            let ended = DispatchGroup()
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for number in 0..<50 {
                    let host = "h\((number + thread) % 3)"
                    let work = SignalProducer<String, FetchError> { observer, lifetime in
                        counts.withLockedValue { counts in
                            counts.all += 1
                            counts.byHost[host, default: 0] += 1
                            counts.mostAll = max(counts.mostAll, counts.all)
                            counts.mostByHost = max(counts.mostByHost, counts.byHost[host] ?? 0)
                        }
                        lifetime.observeEnded {
                            counts.withLockedValue { counts in
                                counts.all -= 1
                                counts.byHost[host, default: 0] -= 1
                            }
                        }
                        DispatchQueue.global().async { observer.sendCompleted() }
                    }
                    ended.enter()
                    let start = slots.admit(to: host, isContinued: number % 2 == 0, work)
                        .start { event in
                            switch event {
                            case .completed, .interrupted: ended.leave()
                            case .next, .error: break
                            }
                        }
                    if number % 5 == 0 { start.dispose() }
                }
            }
            // Running work ends by itself, so closing refuses nothing.
            let drained = DispatchSemaphore(value: 0)
            ended.wait()
            slots.isDrained.producer.filter { $0 }.startWithNext { _ in drained.signal() }
            slots.close()
            drained.wait()
            let result = counts.withLockedValue { $0 }
            #expect(result.mostAll <= 3)
            #expect(result.mostByHost <= 2)
            #expect(result.all == 0)
        }
    }
}
