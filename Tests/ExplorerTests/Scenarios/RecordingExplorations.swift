#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveDiagnostics
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Recorded events of a stream, and the registry of live streams.
    @Suite("Recordings")
    struct RecordingExplorations {
        enum Last: CaseIterable { case completion, failure, release }

        @Test("a history has the last events in order, and its total counts them", arguments: Last.allCases)
        func history(last: Last) {
            exhaust(
                Scenario("a history of two events: a sender, a reader and a \(last)") { trial in
                    let (signal, input) = Signal<Int, TestFailure>.pipe()
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let stream = signal.on(next: { [token = trial.token()] _ in token.touch() })
                    stream.observe(recorder)
                    let history = stream.recordEvents(last: 2, on: HandScheduler(trial))
                    let other = Handed<EventHistory<Int, TestFailure, HandScheduler.Instant>>()
                    other.give(stream.recordEvents(last: 1, on: HandScheduler(trial)))
                    trial.thread { [1, 2].forEach(input.sendNext) }
                    trial.thread {
                        switch last {
                        case .completion: input.sendCompleted()
                        case .failure: input.sendError(TestFailure())
                        case .release: _ = other.take()
                        }
                    }
                    trial.thread {
                        let total = history.total
                        let entries = history.entries
                        trial.expect(
                            entries.count <= 2 && entries.count >= min(total, 2), "\(entries.count) entries of \(total)"
                        )
                        let values = entries.compactMap(\.event.value)
                        trial.expect([[], [1], [1, 2], [2]].contains(values), "the entries are \(entries)")
                    }
                    trial.finally {
                        let events =
                            recorder.values.map { Event<Int, TestFailure>.next($0) } + (recorder.end.map { [$0] } ?? [])
                        let entries = history.entries.map(\.event)
                        trial.expect(entries == events.suffix(2), "\(entries) of \(events)")
                        trial.expect(history.total == events.count, "\(history.total) of \(events.count)")
                        other.give(nil)
                        input.sendCompleted()
                    }
                })
        }

        /// An object that takes itself out of a registry when it is released.
        private final class Member: Sendable {
            let shard: GraphShard
            private let token: Trial.Token

            init(_ shard: GraphShard, _ trial: Trial) {
                self.shard = shard
                token = trial.token()
                let address = GraphHook.address(of: self)
                shard.add(address, GraphRecord(id: 1, since: 0), GraphTable.hash(address))
            }

            deinit {
                let address = GraphHook.address(of: self)
                shard.remove(address, GraphTable.hash(address))
            }
        }

        @Test("a snapshot finds what is alive, while it is released and others begin", arguments: [1, 2])
        func snapshot(snapshots: Int) {
            exhaust(
                Scenario("a registry: \(snapshots) snapshots, a member that goes and one that comes") { trial in
                    let shard = GraphShard()
                    let leaving = Handed<Member>()
                    leaving.give(Member(shard, trial))
                    let staying = Member(shard, trial)
                    let coming = Handed<Member>()
                    trial.thread { _ = leaving.take() }
                    trial.thread { coming.give(Member(shard, trial)) }
                    for _ in 0..<snapshots {
                        trial.thread {
                            let members = shard.members()
                            let objects = members.compactMap { $0.object as? Member }
                            trial.expect(objects.count == members.count, "something else has been found")
                            trial.expect(objects.contains { $0 === staying }, "what stays has not been found")
                            trial.expect((1...3).contains(objects.count), "\(objects.count) have been found")
                        }
                    }
                    trial.finally {
                        trial.expect(shard.count == 2, "\(shard.count) are recorded at the end, and 2 are alive")
                        coming.give(nil)
                        trial.expect(shard.count == 1, "\(shard.count) are recorded, and 1 is alive")
                        withExtendedLifetime(staying) {}
                    }
                })
        }
    }
}
#endif
