import Dispatch
import ReactiveSignals
import Synchronization

/// The streams of the documents.
enum Sequences {
    static let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
    static let numbers = SignalProducer<String, Never>((1...9).map(String.init))
}

/// Counts, from any thread.
private final class Tally: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    /// Counts one more, and returns its number.
    @discardableResult
    func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }

    func restart() { number.withLock { $0 = 0 } }
}

extension WorkedExample {
    private struct Failure: Error {}

    /// Work that begins when it is started.
    static let producers = [
        WorkedExample("EX-1", "startWithNext: a sequence, value by value", prints: "A B C D E F G H I") { out in
            Sequences.letters.startWithNext { letter in out.word(letter) }
        },

        WorkedExample("EX-2", "Each start does the work anew", prints: "subscription 1", "subscription 2") { out in
            let counter = Tally()
            let work = SignalProducer<Int, Never> { observer, _ in
                observer.sendNext(
                    counter.next())
                observer.sendCompleted()
            }

            work.startWithNext { out.line("subscription \($0)") }
            work.startWithNext { out.line("subscription \($0)") }
        },

        WorkedExample(
            "EX-3", "on: effects are added to a producer, and run when it is started",
            prints: "made", "about to complete subscription 1", "subscription 1"
        ) { out in
            let counter = Tally()
            let work = SignalProducer<Never, Never> { observer, _ in
                counter.next()
                observer.sendCompleted()
            }
            .on(completed: { out.line("about to complete subscription \(counter.count)") })
            out.line("made")

            work.startWithCompleted { out.line("subscription \(counter.count)") }
        },

        WorkedExample("EX-6", "concat: one after the other", prints: "A B C D E F G H I 1 2 3 4 5 6 7 8 9") { out in
            Sequences.letters.concat(Sequences.numbers).startWithNext { out.word($0) }
        },

        WorkedExample(
            "EX-12", "then: the values of the second only",
            prints: "A B C D E F G H I", "1 2 3 4 5 6 7 8 9"
        ) { out in
            let words = Mutex<[String]>([])
            Sequences.letters
                .on(next: { letter in words.withLock { $0.append(letter) } })
                .then(Sequences.numbers)
                .collect()
                .startWithNext { values in
                    out.line(words.withLock { $0.joined(separator: " ") })
                    out.line(values.joined(separator: " "))
                }
        },

        WorkedExample(
            "EX-18", "Side effects happen for each start", prints: "subscriber one: 1", "subscriber two: 2"
        ) { out in
            let aNumber = Tally()
            let producer = SignalProducer<Int, Never> { observer, _ in
                observer.sendNext(
                    aNumber.next())
                observer.sendCompleted()
            }

            producer.startWithNext { out.line("subscriber one: \($0)") }
            producer.startWithNext { out.line("subscriber two: \($0)") }
        },

        WorkedExample(
            "EX-19", "An operator's closure runs for each start, too",
            prints: "First will launch 1 missiles", "Second will launch 2 missiles"
        ) { out in
            let missiles = Tally()
            let launches = SignalProducer<String, Never>(value: "missiles").map { thing in
                "will launch \(missiles.next()) \(thing)"
            }

            launches.startWithNext { out.line("First \($0)") }
            launches.startWithNext { out.line("Second \($0)") }
        },

        WorkedExample(
            "EX-21", "multicast: one request for two observers",
            prints: "requested", "subscriber one: R", "subscriber two: R", "cancelled"
        ) { out in
            let request = SignalProducer<String, Never> { observer, lifetime in
                out.line("requested")
                observer.sendNext("R")
                lifetime.observeEnded {
                    out.line("cancelled")
                    withExtendedLifetime(observer) {}
                }
            }
            let connection = request.multicast(replay: 1)

            let disposable = connection.connect()
            connection.producer.startWithNext { out.line("subscriber one: \($0)") }
            connection.producer.startWithNext { out.line("subscriber two: \($0)") }
            disposable.dispose()
        },

        WorkedExample(
            "EX-24", "repeat: a million synchronous rounds, and no deeper stack",
            prints: "1000000 rounds", "an error ends it after 3", "disposal ends it after 5"
        ) { out in
            let rounds = Tally()
            let round = SignalProducer<Int, Failure>.deferred {
                SignalProducer<Int, Failure>(
                    value: rounds.next())
            }

            round.repeat(1_000_000).start()
            out.line("\(rounds.count) rounds")

            rounds.restart()
            round.attempt { number throws(Failure) in if number == 3 { throw Failure() } }
                .repeatForever()
                .startWithError { _ in out.line("an error ends it after \(rounds.count)") }

            rounds.restart()
            round.repeatForever().startWithSignal { signal, interrupter in
                signal.observe { event in
                    if event.value == 5 { interrupter.dispose() }
                }
            }
            out.line("disposal ends it after \(rounds.count)")
        },

        WorkedExample(
            "EX-26", "then and flatMapError: what follows, and what stands in for an error",
            prints: "presented Failure()", "All done."
        ) { out in
            let doSomething = SignalProducer<Never, Never>.empty
            let doSomethingElse = SignalProducer<Never, Failure>(error: Failure())
            doSomething
                .then {
                    doSomethingElse.flatMapError { error in
                        out.line("presented \(error)")
                        return SignalProducer<Never, Never>.empty
                    }
                }
                .startWithCompleted { out.line("All done.") }
        },

        WorkedExample("EX-44", "A start that is disposed of is interrupted", prints: "interrupted") { out in
            let work = SignalProducer<Int, Never>.never
            work.startWithInterrupted { out.line("interrupted") }.dispose()
        },

        WorkedExample(
            "EX-34", "observe(on:): work on one scheduler, what is made of it on another",
            prints: "downloaded on the background", "assigned on the main scheduler"
        ) { out in
            let background = QueueScheduler(name: "background")
            let main = QueueScheduler(name: "main")
            let image = Mutex<String?>(nil)
            let assigned = DispatchSemaphore(value: 0)
            let fetchUser = SignalProducer<String, Never>(value: "jane")

            fetchUser
                .observe(on: background)
                .map { user in
                    if CurrentScheduler.value === background { out.line("downloaded on the background") }
                    return "the image of \(user)"
                }
                .observe(on: main)
                .startWithNext { download in
                    if CurrentScheduler.value === main { out.line("assigned on the main scheduler") }
                    image.withLock { $0 = download }
                    assigned.signal()
                }
            assigned.wait()
        },

        WorkedExample(
            "EX-40", "The end breaks the cycle of an object that keeps its own start's disposable",
            prints: "let go of: still there", "completed: gone"
        ) { out in
            /// Captured by the observer whose disposable it holds.
            final class Loader: Sendable {
                let loading = SerialDisposable()
                let onDeath: @Sendable () -> Void

                init(onDeath: @escaping @Sendable () -> Void) { self.onDeath = onDeath }

                deinit { onDeath() }

                func load(_ work: SignalProducer<Int, Never>) {
                    loading.inner = work.startWithNext { _ in self.touch() }
                }

                func touch() {}
            }

            let isGone = Atomic(false)
            let (work, input) = Signal<Int, Never>.pipe()
            var loader: Loader? = Loader { isGone.store(true, ordering: .relaxed) }
            loader?.load(work.producer)
            loader = nil
            input.sendNext(1)
            out.line("let go of: \(isGone.load(ordering: .relaxed) ? "gone" : "still there")")
            input.sendCompleted()
            out.line("completed: \(isGone.load(ordering: .relaxed) ? "gone" : "still there")")
        },

        WorkedExample(
            "EX-45", "lift: a producer of the current value and the changes, each validated once",
            prints: "validated jane", "true", "validated jo", "false", "validated joan", "true"
        ) { out in
            let validateUsername: @Sendable (Signal<String, Never>) -> Signal<Bool, Never> = { usernames in
                usernames.map { username in
                    out.line("validated \(username)")
                    return username.count > 2
                }
            }
            let (changes, input) = Signal<String, Never>.pipe()
            let username = changes.producer.prefix(value: "jane")

            username.lift(validateUsername).startWithNext { isValid in out.line(isValid) }
            input.sendNext("jo")
            input.sendNext("joan")
            input.sendCompleted()
        },
    ]
}
