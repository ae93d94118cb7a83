#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// The writers, the reader and the end of a session.
    @Suite("Duplex sessions")
    struct DuplexSessionExplorations {
        private typealias Session = DuplexSession<Int, Int, TestFailure>

        /// A connection that expects to be used by one writer at a time, and to be closed once, after everything else.
        private final class Wire: @unchecked Sendable {
            // One thread runs at a time.
            private let trial: Trial
            private let token: Trial.Token
            private var isInUse = false
            private var isRead = false
            private var hasEnded = false
            private(set) var closings = 0
            private(set) var written: [Int] = []
            let failing: Int?

            init(_ trial: Trial, failing: Int? = nil) {
                self.trial = trial
                token = trial.token()
                self.failing = failing
            }

            func write(_ value: Int) async throws(TestFailure) {
                await use("\(value)")
                if value == failing { throw TestFailure() }
                written.append(value)
            }

            func end() async {
                await use("the end")
                hasEnded = true
            }

            private func use(_ name: String) async {
                token.touch()
                trial.expect(!isInUse, "\(name) is written at the same time as something else")
                trial.expect(closings == 0, "\(name) is written after the closing")
                trial.expect(!hasEnded, "\(name) is written after the end")
                isInUse = true
                await Task.yield()
                isInUse = false
            }

            func read(_ number: Int) async -> (Int, Int)? {
                trial.expect(closings == 0, "reads after the closing")
                isRead = true
                await Task.yield()
                isRead = false
                return number == 2 ? nil : (number, number + 1)
            }

            func close() {
                trial.expect(!isInUse && !isRead, "closes what is in use")
                closings += 1
            }
        }

        /// What the writers were told.
        private final class Answers: @unchecked Sendable {
            // One thread runs at a time.
            private(set) var accepted: [Int] = []
            private(set) var refused: [Int] = []

            func note(_ value: Int, _ isAccepted: Bool?) {
                if isAccepted == true { accepted.append(value) } else { refused.append(value) }
            }
        }

        /// What happens beside two writers.
        private enum Other: String, CaseIterable {
            case end = "the end of the writing"
            case scope = "the end of the scope"
            case closing = "a closing"
            case cancellation = "a cancellation"
            case failure = "a failure"
        }

        private static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
            Task(executorPreference: ExploredBackground.executor) { await body() }
        }

        private func session(_ others: [Other], reads: Bool) -> Scenario {
            let names = others.map(\.rawValue).joined(separator: " and ")
            return Scenario("two writers, \(names)\(reads ? ", and a reader" : "")") { trial in
                let wire = Wire(trial, failing: others.contains(.failure) ? 1 : nil)
                let (answers, door) = (Answers(), Door())
                let log = Log<String>()
                let waitsForDoor = others.contains(.scope)
                trial.task {
                    await withSignalScope { scope in
                        let session = Session(
                            in: scope,
                            reading: .unfold(0) { (number) async throws(TestFailure) in await wire.read(number) },
                            write: { value async throws(TestFailure) in try await wire.write(value) },
                            endWriting: { () async throws(TestFailure) in await wire.end() }, close: { wire.close() })
                        if reads { session.inbound.start { event in log.note("\(event)") } }
                        let first = Self.task { answers.note(1, try? await session.write(1)) }
                        _ = Self.task { answers.note(2, try? await session.write(2)) }
                        for other in others {
                            switch other {
                            case .end: _ = Self.task { _ = try? await session.endWriting() }
                            case .closing: _ = Self.task { session.close() }
                            case .cancellation: _ = Self.task { ExploredCancellation.run { first.cancel() } }
                            case .scope, .failure: break
                            }
                        }
                        if waitsForDoor { await door.wait() } else { await scope.waitForAll() }
                    }
                    trial.expect(wire.closings == 1, "closed \(wire.closings) times when the scope has ended")
                }
                if waitsForDoor { trial.thread { door.open() } }
                trial.finally {
                    trial.expect(wire.closings == 1, "closed \(wire.closings) times")
                    trial.expect(
                        wire.written.sorted() == answers.accepted.sorted(), "\(wire.written), told \(answers.accepted)")
                    trial.expect(answers.accepted.count + answers.refused.count == 2, "a writer has no answer")
                    if reads { trial.expect(!log.entries.isEmpty, "the reader has got no event") }
                }
            }
        }

        @Test("each writer learns whether its value was written", arguments: [false, true])
        func writers(reads: Bool) {
            sample(session([.end], reads: reads))
            sample(session([.end, .scope], reads: reads))
            sample(session([.end, .closing], reads: reads))
        }

        @Test("a cancellation or a failure leaves no writer behind", arguments: [false, true])
        func cancellation(reads: Bool) {
            sample(session([.cancellation], reads: reads))
            sample(session([.cancellation, .scope], reads: reads))
            sample(session([.failure, .end], reads: reads))
            sample(session([.failure, .closing], reads: reads))
        }
    }
}
#endif
