#if Explore
import ColdProducers
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Several tasks of one start: `mapAsync`, pulled sequences, and scopes.
    @Suite("Async work")
    struct AsyncWorkExplorations {
        private func mapping(_ limit: Int, isOrdered: Bool, disposes: Bool) -> Scenario {
            Scenario(
                "mapAsync: at most \(limit), \(isOrdered ? "" : "un")ordered, \(disposes ? "disposal" : "completion")"
            ) { trial in
                let (signal, input) = Signal<Int, TestFailure>.pipe()
                let recorder = Recorder<Int, TestFailure>(trial)
                let door = Door()
                let running = Balance()
                let observation = signal.mapAsync(maxConcurrent: limit, ordered: isOrdered) {
                    [token = trial.token()] value async throws(TestFailure) in
                    running.begin()
                    trial.expect(running.begun - running.ended <= limit, "more than \(limit) run")
                    if value == 1 { await door.wait() }
                    token.touch()
                    running.end()
                    return 10 * value
                }.observe(recorder)
                trial.thread {
                    [1, 2].forEach(input.sendNext)
                    input.sendCompleted()
                }
                trial.thread { door.open() }
                if disposes {
                    trial.thread {
                        observation?.dispose()
                        recorder.isDisposed()
                    }
                }
                trial.finally {
                    running.expectEven(trial, 0...2)
                    if isOrdered { recorder.expectOrder([[10, 20]]) }
                    if !disposes {
                        recorder.expectOneEnd()
                        trial.expect(Set(recorder.values) == [10, 20], "got \(recorder.values)")
                    }
                }
            }
        }

        @Test("mapAsync maps each value once, within its concurrency limit", arguments: [1, 2], [true, false])
        func mapping(limit: Int, isOrdered: Bool) {
            exhaust(mapping(limit, isOrdered: isOrdered, disposes: false), preemptions: 1)
        }

        @Test("mapAsync ends its running work on disposal", arguments: [1, 2])
        func mappingDisposed(limit: Int) { exhaust(quick: 1_000, mapping(limit, isOrdered: true, disposes: true)) }

        private func pulling(_ limit: Int, disposes: Bool) -> Scenario {
            Scenario("pulls with room for \(limit)\(disposes ? ", and a disposal" : "")") { trial in
                let start = RecordedStart<Int, TestFailure>(trial)
                let pipes = (0..<2).map { _ in Signal<Int, TestFailure>.pipe() }
                let running = Balance()
                let producer = SignalProducer<Int, TestFailure>(
                    pulling: Elements(elements: [0, 1]), maxConcurrent: limit
                ) { [token = trial.token()] index in
                    SignalProducer<Int, TestFailure> { observer, lifetime in
                        token.touch()
                        running.begin()
                        lifetime.observeEnded { running.end() }
                        lifetime += pipes[index].output.observe(observer)
                    }
                }
                start.start(producer)
                for index in 0..<2 {
                    trial.thread {
                        pipes[index].input.sendNext(index)
                        pipes[index].input.sendCompleted()
                    }
                }
                if disposes { trial.thread { start.dispose() } }
                trial.finally {
                    running.expectEven(trial, disposes ? 0...2 : 2...2)
                    start.recorder.expectOneEnd()
                    start.recorder.expectOrder([])
                    if !disposes {
                        trial.expect(start.recorder.end == .completed, "it has not completed")
                    }
                }
            }
        }

        @Test("a pulling producer requests an element when there is room, and completes", arguments: [1, 2])
        func pulling(limit: Int) { exhaust(quick: 1_000, pulling(limit, disposes: false)) }

        @Test("a pulling producer ends its task and its producers on disposal")
        func pullingDisposed() {
            sample(pulling(1, disposes: true))
            sample(pulling(2, disposes: true))
        }

        private func scope(cancels: Bool, fails: Bool) -> Scenario {
            Scenario("a scope with two starts\(cancels ? ", cancelled" : "")\(fails ? ", one fails" : "")") { trial in
                let pipes = (0..<2).map { _ in Signal<Int, TestFailure>.pipe() }
                let running = Balance()
                let failures = Balance()
                let works = pipes.map { [token = trial.token()] pipe in
                    SignalProducer<Int, TestFailure> { observer, lifetime in
                        running.begin()
                        lifetime.observeEnded {
                            token.touch()
                            running.end()
                        }
                        lifetime += pipe.output.observe(observer)
                    }
                }
                let task = trial.task {
                    do throws(TestFailure) {
                        try await withSignalScope(throwing: TestFailure.self) { (scope) throws(TestFailure) in
                            for work in works { work.start(in: scope) }
                            try await scope.waitForAll()
                        }
                    } catch {
                        failures.begin()
                    }
                    running.expectEven(trial, 0...2)
                }
                trial.thread {
                    pipes[0].input.sendNext(1)
                    if fails { pipes[0].input.sendError(TestFailure()) } else { pipes[0].input.sendCompleted() }
                }
                trial.thread { if cancels { task.cancel() } else { pipes[1].input.sendCompleted() } }
                trial.finally {
                    running.expectEven(trial, 0...2)
                    if !fails { trial.expect(failures.begun == 0, "it has failed") }
                    for pipe in pipes { pipe.input.sendCompleted() }
                }
            }
        }

        @Test("a scope returns when all of its members have ended")
        func scopes() {
            exhaust(quick: 500, scope(cancels: false, fails: false))
            exhaust(quick: 500, scope(cancels: false, fails: true))
            exhaust(quick: 500, scope(cancels: true, fails: false))
            exhaust(quick: 500, scope(cancels: true, fails: true))
        }

        @Test("a scope waits for the tasks of its members")
        func run() {
            for cancels in [false, true] {
                exhaust(
                    Scenario("runs a sequence that waits\(cancels ? ", and is cancelled" : "")") { trial in
                        let door = Door()
                        let values = Log<Int>()
                        let token = trial.token()
                        let producer = SignalProducer(Elements(elements: [1, 2], door: door)).on(next: { value in
                            token.touch()
                            values.note(value)
                        })
                        let task = trial.task { try? await producer.run() }
                        trial.thread { door.open() }
                        if cancels { trial.thread { task.cancel() } }
                        trial.finally {
                            trial.expect(
                                [1, 2].starts(with: values.entries) && (cancels || values.entries.count == 2),
                                "got \(values.entries)")
                        }
                    }, preemptions: cancels ? 1 : 2)
            }
        }

        private func unabandoned(
            _ what: String, _ running: Balance,
            _ trial: Trial, disposes: Bool, _ producer: SignalProducer<Int, TestFailure>,
            _ end: @escaping @Sendable () -> Void
        ) {
            let start = RecordedStart<Int, TestFailure>(trial)
            start.start(
                producer.on(event: { [token = trial.token()] event in
                    token.touch()
                    if event.isTerminating { trial.expect(running.begun == running.ended, "\(what) goes on") }
                }))
            trial.thread { end() }
            if disposes { trial.thread { start.dispose() } }
            trial.finally {
                running.expectEven(trial, disposes ? 0...2 : 1...2)
                start.recorder.expectOneEnd()
            }
        }

        @Test("a start that waits for its work ends after its functions", arguments: [false, true])
        func waiting(disposes: Bool) {
            exhaust(
                quick: 1_000,
                Scenario("two functions, of which one ends the start\(disposes ? ", and a disposal" : "")") { trial in
                    let (running, door) = (Balance(), Door())
                    let work = SignalProducer<Int, TestFailure>([1, 2]).flatMap(.merge) { number in
                        SignalProducer<Int, TestFailure>.async {
                            running.begin()
                            if number == 1 { await door.wait() }
                            running.end()
                            return number
                        }
                    }
                    unabandoned(
                        "a function", running, trial, disposes: disposes, work.take(first: 1).waitingForWork()
                    ) { door.open() }
                }, preemptions: 1)
        }

        @Test("a start of uninterruptible work ends after the work", arguments: [false, true])
        func uninterruptible(disposes: Bool) {
            exhaust(
                quick: 1_000,
                Scenario("uninterruptible work\(disposes ? ", and a disposal" : "")") { trial in
                    let running = Balance()
                    let (signal, input) = Signal<Int, TestFailure>.pipe()
                    let work = SignalProducer<Int, TestFailure> { observer, lifetime in
                        running.begin()
                        lifetime.observeEnded { running.end() }
                        lifetime += signal.observe(observer)
                    }
                    unabandoned("the work", running, trial, disposes: disposes, work.uninterruptible()) {
                        input.sendNext(1)
                        input.sendCompleted()
                    }
                })
        }

        @Test("a wait returns when the counter is empty")
        func counter() {
            exhaust(
                Scenario("two passes, one of them given back twice, and a task that waits") { trial in
                    let counter = TaskCounter()
                    let passes = (0..<2).map { _ in Held(TaskCounter.Token(counter)) }
                    trial.task {
                        await counter.waitUntilEmpty()
                        trial.expect(passes.allSatisfy { $0.value == nil }, "a pass is still out")
                    }
                    trial.thread {
                        let pass = passes[0].value
                        passes[0].value = nil
                        pass?.giveBack()
                        pass?.giveBack()
                    }
                    trial.thread { passes[1].value = nil }
                    trial.finally { trial.expect(counter.isEmpty, "the counter is not empty") }
                })
        }
    }
}
#endif
