#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Disposables and lifetimes")
    struct DisposableExplorations {
        /// A disposable that counts its disposals.
        private final class Counted: Disposable, @unchecked Sendable {
            // Sendable: one thread runs at a time.
            private(set) var disposals = 0
            private let flag = SimpleDisposable()
            private let trial: Trial
            private let token: Trial.Token

            init(_ trial: Trial) {
                self.trial = trial
                token = trial.token()
            }

            var isDisposed: Bool { flag.isDisposed }

            func dispose() {
                disposals += 1
                trial.pause()
                flag.dispose()
            }

            func expect(_ name: String, _ counts: ClosedRange<Int> = 1...1) {
                trial.expect(counts.contains(disposals), "\(name) has been disposed of \(disposals) times")
            }
        }

        private var additions: Scenario {
            Scenario("a composite: additions, a removal and two disposals") { trial in
                let composite = CompositeDisposable()
                let parts = (0..<3).map { _ in Counted(trial) }
                let handle = Held(composite.add(parts[0]))
                trial.thread {
                    composite.add(parts[1])
                    handle.value?.dispose()
                    handle.value = nil
                    composite.add(parts[2])
                }
                trial.thread {
                    composite.dispose()
                    trial.expect(composite.isDisposed, "not disposed of")
                }
                trial.thread { composite.dispose() }
                trial.finally {
                    parts[0].expect("what was removed", 0...1)
                    parts[1].expect("what was added first")
                    parts[2].expect("what was added last")
                    trial.expect(composite.add(SimpleDisposable()) == nil, "added after the disposal")
                }
            }
        }

        @Test("a composite disposes of each part once, unless it has been removed")
        func composite() {
            exhaust(additions)
            exhaust(additions, preemptions: 1, staleReads: 2)
        }

        @Test("a part that is removed before a disposal begins is not disposed of")
        func removal() {
            exhaust(
                Scenario("a composite: removal, then disposal, beside an addition") { trial in
                    let composite = CompositeDisposable()
                    let parts = (0..<2).map { _ in Counted(trial) }
                    let handle = Held(composite.add(parts[0]))
                    trial.thread {
                        handle.value?.dispose()
                        composite.dispose()
                    }
                    trial.thread { composite.add(parts[1]) }
                    trial.thread { composite.add(SimpleDisposable())?.dispose() }
                    trial.finally {
                        parts[0].expect("what was removed", 0...0)
                        parts[1].expect("what was added")
                        handle.value = nil
                    }
                })
        }

        @Test("a serial disposable disposes of each of its inner disposables once")
        func serial() {
            exhaust(
                Scenario("a serial disposable: two replacements and a disposal") { trial in
                    let parts = (0..<3).map { _ in Counted(trial) }
                    let serial = SerialDisposable(parts[0])
                    trial.thread { serial.inner = parts[1] }
                    trial.thread { serial.inner = parts[2] }
                    trial.thread { serial.dispose() }
                    trial.finally {
                        for part in parts { part.expect("a part") }
                        trial.expect(serial.isDisposed && serial.inner == nil, "something is left")
                    }
                })
        }

        @Test("an action runs once, even if it is wrapped or scoped")
        func action() {
            exhaust(
                Scenario("an action, disposed of by three threads") { trial in
                    let part = Counted(trial)
                    let action = AnyDisposable { part.dispose() }
                    let scoped = Held(ScopedDisposable(action))
                    trial.thread { action.dispose() }
                    trial.thread {
                        AnyDisposable(action).dispose()
                        trial.expect(action.isDisposed, "not disposed of")
                    }
                    trial.thread { scoped.value = nil }
                    trial.finally { part.expect("the action") }
                })
        }

        private func attachments(_ count: Int) -> Scenario {
            Scenario("a lifetime: \(count) attachments, an end, and the release of the token") { trial in
                let (lifetime, token) = Lifetime.make()
                let held = Held(token)
                let parts = (0..<count).map { _ in Counted(trial) }
                let removed = Counted(trial)
                for part in parts { trial.thread { lifetime += part } }
                trial.thread {
                    let handle = lifetime.observeEnded { removed.dispose() }
                    handle?.dispose()
                    held.value = nil
                }
                trial.finally {
                    for part in parts { part.expect("an attachment") }
                    removed.expect("what was removed", 0...0)
                    trial.expect(lifetime.hasEnded, "it has not ended")
                }
            }
        }

        @Test("a lifetime disposes of each attachment once, immediately if it has already ended")
        func lifetime() {
            exhaust(attachments(2))
            exhaust(attachments(1), staleReads: 2)
        }

        /// The lifetime of a start, which creates its composite when the first thread adds an attachment.
        private func firstAttachments(_ count: Int) -> Scenario {
            Scenario("a start's lifetime: \(count) attachments and an end") { trial in
                let lifetime = Lifetime()
                let parts = (0..<count).map { _ in Counted(trial) }
                for part in parts { trial.thread { lifetime += part } }
                trial.thread { lifetime.end() }
                trial.finally { for part in parts { part.expect("an attachment") } }
            }
        }

        @Test("two threads that add the first attachment share one composite")
        func lazyLifetime() {
            exhaust(firstAttachments(2))
            exhaust(firstAttachments(2), preemptions: 1, staleReads: 2)
        }

        @Test("an observer of a lifetime receives its end, or finds it ended")
        func ended() {
            exhaust(
                Scenario("a lifetime's signal beside its end") { trial in
                    let (lifetime, token) = Lifetime.make()
                    let recorders = (0..<2).map { Recorder<Never, Never>(trial, "observer \($0)") }
                    for recorder in recorders { trial.thread { lifetime.ended.observe(recorder) } }
                    trial.thread { token.dispose() }
                    trial.finally { for recorder in recorders { recorder.expectOneEnd() } }
                }, preemptions: 1)
        }

        @Test("a start performs each clean-up action once, whenever it is added")
        func start() {
            exhaust(
                Scenario("a start: two clean-ups, an attachment and the end") { trial in
                    let start = Start()
                    let parts = (0..<3).map { _ in Counted(trial) }
                    trial.thread { start.addCleanup { parts[0].dispose() } }
                    trial.thread {
                        start.addCleanup { parts[1].dispose() }
                        start.observeEnded { parts[2].dispose() }
                    }
                    trial.thread { start.cutOff() }
                    trial.finally { for part in parts { part.expect("a part") } }
                })
        }
    }
}
#endif
