#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Operators that suspend the sources of producers.
    @Suite("Operators that suspend sources")
    struct SuspendedSourceExplorations {
        private typealias Numbers = SignalProducer<Int, TestFailure>

        /// Counts what is ahead of the results, and expects that it stays within a limit.
        private final class Lead: @unchecked Sendable {
            // One thread runs at a time.
            private let trial: Trial
            private let limit: Int
            private var count = 0

            init(_ trial: Trial, _ limit: Int) {
                self.trial = trial
                self.limit = limit
            }

            func grow() {
                count += 1
                trial.expect(count <= limit, "\(count) are ahead, and \(limit) may be")
            }

            func shrink() { count -= 1 }
        }

        private func mapping(_ limit: Int, ordered: Bool, disposes: Bool) -> Scenario {
            Scenario(
                "mapAsync of an async sequence: \(limit) at a time, \(ordered ? "" : "un")ordered"
                    + (disposes ? ", and a disposal" : "")
            ) { trial in
                let start = RecordedStart<Int, TestFailure>(trial)
                // The operator does not count a result that a disposal drops.
                let lead = Lead(trial, disposes ? 3 : limit)
                let door = Door()
                let source = Numbers(Elements(elements: [1, 2, 3])).on(next: { _ in lead.grow() })
                start.start(
                    source.mapAsync(maxConcurrent: limit, ordered: ordered) {
                        [token = trial.token()] value async throws(TestFailure) in
                        if value == 1 { await door.wait() }
                        token.touch()
                        return value
                    }.on(next: { _ in lead.shrink() }))
                trial.thread { door.open() }
                if disposes { trial.thread { start.dispose() } }
                trial.finally {
                    if ordered {
                        start.expectStart(of: [1, 2, 3])
                    } else {
                        start.recorder.expectOneEnd()
                        trial.expect(Set(start.recorder.values).isSubset(of: [1, 2, 3]), "\(start.recorder.values)")
                    }
                    if !disposes { trial.expect(start.recorder.values.count == 3, "\(start.recorder.values)") }
                }
            }
        }

        @Test("mapAsync takes no more elements than may run", arguments: [1, 2], [false, true])
        func mapping(limit: Int, ordered: Bool) {
            exhaust(mapping(limit, ordered: ordered, disposes: false), preemptions: 1)
        }

        @Test("mapAsync ends a suspended source on disposal", arguments: [1, 2])
        func mappingDisposed(limit: Int) {
            exhaust(mapping(limit, ordered: true, disposes: true), preemptions: 1)
        }

        private func zipping(_ first: [Int], _ second: [Int], fails: Bool, disposes: Bool) -> Scenario {
            Scenario("zip of \(first) and \(second)\(fails ? ", which fails" : "")\(disposes ? ", disposed of" : "")") {
                trial in
                let start = RecordedStart<Int, TestFailure>(trial)
                // The operator no longer counts a pair that is being sent, or that a disposal drops.
                let leads = [Lead(trial, disposes ? 3 : 2), Lead(trial, disposes ? 3 : 2)]
                let door = Door()
                let sources = [
                    Numbers(Elements(elements: first)).on(next: { _ in leads[0].grow() }),
                    Numbers(Elements(elements: second, door: door, fails: fails)).on(next: { _ in leads[1].grow() }),
                ]
                start.start(
                    sources[0].zip(with: sources[1], bufferLimit: 1, whenFull: .suspend).map { pair in
                        for lead in leads { lead.shrink() }
                        return pair.0 * 10 + pair.1
                    })
                trial.thread { door.open() }
                if disposes { trial.thread { start.dispose() } }
                trial.finally {
                    let pairs = zip(first, second).map { $0 * 10 + $1 }
                    start.expectStart(of: pairs)
                    if !fails, !disposes { trial.expect(start.recorder.end == .completed, "it has not completed") }
                }
            }
        }

        @Test("zip suspends the producer that is ahead, and pairs all values")
        func zipping() {
            exhaust(zipping([1, 2], [3, 4], fails: false, disposes: false), preemptions: 1)
            exhaust(zipping([1, 2, 3], [4], fails: false, disposes: false), preemptions: 1)
        }

        @Test("zip ends a suspended producer when the other one fails, or on disposal")
        func zippingEnds() {
            exhaust(zipping([1, 2, 3], [4], fails: true, disposes: false), preemptions: 1)
            sample(zipping([1, 2], [3, 4], fails: false, disposes: true))
        }

        private func flattening(limit: Int, waiting: Int, ordered: Bool, disposes: Bool) -> Scenario {
            Scenario(
                "flatMap: \(limit) run, \(waiting) wait, \(ordered ? "" : "un")ordered"
                    + (disposes ? ", disposed of" : "")
            ) { trial in
                let start = RecordedStart<Int, TestFailure>(trial)
                let lead = Lead(trial, limit + waiting)
                let door = Door()
                let strategy = FlattenStrategy.Suspending.concurrent(
                    limit: limit, ordered: ordered, waiting: waiting, whenFull: .suspend)
                let producer = Numbers(Elements(elements: [1, 2, 3])).flatMap(strategy) {
                    [token = trial.token()] value in
                    lead.grow()
                    return Numbers.async { () async throws(TestFailure) in
                        if value == 1 { await door.wait() }
                        token.touch()
                        return value
                    }.on(terminated: { lead.shrink() })
                }
                start.start(producer)
                trial.thread { door.open() }
                if disposes { trial.thread { start.dispose() } }
                trial.finally {
                    if ordered || limit == 1 {
                        start.expectStart(of: [1, 2, 3])
                    } else {
                        start.recorder.expectOneEnd()
                    }
                    if !disposes { trial.expect(Set(start.recorder.values) == [1, 2, 3], "\(start.recorder.values)") }
                }
            }
        }

        @Test("flatMap suspends the source while too many streams wait", arguments: [false, true])
        func flattening(ordered: Bool) {
            exhaust(flattening(limit: 1, waiting: 0, ordered: ordered, disposes: false), preemptions: 1)
            exhaust(flattening(limit: 1, waiting: 1, ordered: ordered, disposes: false), preemptions: 1)
            exhaust(flattening(limit: 2, waiting: 0, ordered: ordered, disposes: false), preemptions: 1)
        }

        @Test("flatMap ends a suspended source on disposal")
        func flatteningDisposed() {
            sample(flattening(limit: 1, waiting: 0, ordered: false, disposes: true))
            sample(flattening(limit: 2, waiting: 1, ordered: true, disposes: true))
        }

        @Test("a consumer suspends a source through operators that suspend it, too", arguments: [false, true])
        func composition(isCancelled: Bool) {
            let scenario =
                Scenario("a consumer behind mapAsync and flatMap\(isCancelled ? ", and is cancelled" : "")") { trial in
                    let token = trial.token()
                    // One element is in `flatMap`, and one was taken before that was known. A consumer that is
                    // cancelled ends the inner stream, and another element may follow until the source is cancelled.
                    let lead = Lead(trial, isCancelled ? 3 : 2)
                    let source = Numbers(Elements(elements: [1, 2, 3]))
                        .on(next: { _ in lead.grow() }, disposed: { token.touch() })
                        .mapAsync(maxConcurrent: 1) { value async throws(TestFailure) in value }
                        .flatMap(.concat(waiting: 0, whenFull: .suspend)) { value in
                            Numbers(Elements(elements: [10 * value, 10 * value + 1]))
                        }
                    let log = Log<Int>()
                    let task = trial.task {
                        var values = source.values(buffering: .suspending(1)).makeAsyncIterator()
                        while let value = try? await values.next() {
                            log.note(value)
                            if value % 10 == 1 { lead.shrink() }
                        }
                    }
                    if isCancelled { trial.thread { task.cancel() } }
                    trial.finally {
                        trial.expect([10, 11, 20, 21, 30, 31].starts(with: log.entries), "received \(log.entries)")
                        if !isCancelled { trial.expect(log.entries.count == 6, "received \(log.entries)") }
                    }
                }
            if isCancelled { sample(scenario) } else { exhaust(scenario, preemptions: 1) }
        }
    }
}
#endif
