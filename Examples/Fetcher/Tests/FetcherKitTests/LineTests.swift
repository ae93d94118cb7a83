import Dispatch
import FetcherKit
import NIOConcurrencyHelpers
import ReactiveSignals
import Testing

@Suite("The line in which requests queue")
struct LineTests {
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
        let line = Line(limit: 2, limitPerHost: 2)
        let jobs = jobs("a", "b", "c")
        for job in jobs { line.admit(to: "h", goesFirst: false, job.work).start() }
        #expect(jobs.map(\.isUnderWay) == [true, true, false])
        jobs[0].end()
        #expect(jobs.map(\.isUnderWay) == [false, true, true])
    }

    @Test("a host without a free slot does not block others")
    func perHost() {
        let line = Line(limit: 3, limitPerHost: 1)
        let jobs = jobs("a", "b", "c")
        for (job, host) in zip(jobs, ["h", "h", "other"]) { line.admit(to: host, goesFirst: false, job.work).start() }
        #expect(jobs.map(\.isUnderWay) == [true, false, true])
        jobs[2].end()
        #expect(jobs.map(\.isUnderWay) == [true, false, false])
        jobs[0].end()
        #expect(jobs.map(\.isUnderWay) == [false, true, false])
    }

    @Test("hosts take turns")
    func turns() {
        let line = Line(limit: 1, limitPerHost: 1)
        let order = Collected<String>()
        let blocker = Job("first")
        line.admit(to: "x", goesFirst: false, blocker.work).start()
        for (host, name) in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("b", "b2"), ("c", "c1")] {
            line.admit(to: host, goesFirst: false, SignalProducer<String, FetchError>(value: name))
                .start { if case .next(let name) = $0 { order.append(name) } }
        }
        blocker.end()
        #expect(order.all == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test("continued work goes before new work")
    func goesFirst() {
        let line = Line(limit: 1, limitPerHost: 1)
        let jobs = jobs("a", "new", "continued")
        line.admit(to: "h", goesFirst: false, jobs[0].work).start()
        line.admit(to: "h", goesFirst: false, jobs[1].work).start()
        line.admit(to: "h", goesFirst: true, jobs[2].work).start()
        jobs[0].end()
        #expect(jobs.map(\.isUnderWay) == [false, false, true])
    }

    @Test("disposing leaves the line, or releases the slot")
    func disposal() {
        let line = Line(limit: 1, limitPerHost: 1)
        let jobs = jobs("a", "b", "c")
        let starts = jobs.map { line.admit(to: "h", goesFirst: false, $0.work).start() }
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
        let line = Line(limit: 1, limitPerHost: 1)
        let next = Job("next")
        let errors = Collected<FetchError>()
        line.admit(to: "h", goesFirst: false, SignalProducer<String, FetchError>(error: .status(500)))
            .startWithError { errors.append($0) }
        line.admit(to: "h", goesFirst: false, next.work).start()
        #expect(errors.all == [.status(500)])
        #expect(next.isUnderWay)
    }

    @Test("when closed, it refuses waiting and new requests, and drains when the last one has left")
    func closing() {
        let line = Line(limit: 1, limitPerHost: 1)
        let jobs = jobs("a", "b", "c")
        let refused = Collected<String>()
        func start(_ job: Job) {
            line.admit(to: "h", goesFirst: false, job.work).startWithError { error in
                #expect(error == .stopped)
                refused.append(job.name)
            }
        }
        start(jobs[0])
        start(jobs[1])
        line.close()
        start(jobs[2])
        #expect(refused.all == ["b", "c"])
        #expect(!line.isDrained.value)
        jobs[0].end()
        #expect(line.isDrained.value)
        #expect(jobs.map(\.isUnderWay) == [false, false, false])
    }

    @Test("drains immediately if it is empty when closed")
    func closingEmpty() {
        let line = Line(limit: 1, limitPerHost: 1)
        #expect(!line.isDrained.value)
        line.close()
        #expect(line.isDrained.value)
    }

    @Test("with many threads and disposals, it never exceeds the limit, and admits every request that stayed")
    func race() {
        for _ in 0..<50 {
            let line = Line(limit: 3, limitPerHost: 2)
            let counts = NIOLockedValueBox((all: 0, mostAll: 0, byHost: [String: Int](), mostByHost: 0))
            let ended = DispatchGroup()
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for number in 0..<50 {
                    let host = "h\((number + thread) % 3)"
                    let work = SignalProducer<Int, FetchError> { observer, lifetime in
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
                    let start = line.admit(to: host, goesFirst: number % 2 == 0, work)
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
            line.isDrained.producer.filter { $0 }.startWithNext { _ in drained.signal() }
            line.close()
            drained.wait()
            let result = counts.withLockedValue { $0 }
            #expect(result.mostAll <= 3)
            #expect(result.mostByHost <= 2)
            #expect(result.all == 0)
        }
    }
}
