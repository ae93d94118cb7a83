import ReactiveSignals

/// The streams of the documents.
enum Sequences {
    static let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
    static let numbers = SignalProducer<String, Never>((1...9).map(String.init))
}

extension WorkedExample {
    private struct Failure: Error {}

    /// Work that begins when it is started.
    static let producers = [
        WorkedExample("EX-1", "startWithNext: a sequence, value by value", prints: "A B C D E F G H I") { out in
            Sequences.letters.startWithNext { letter in out.word(letter) }
        },

        WorkedExample("EX-2", "Each start does the work anew", prints: "subscription 1", "subscription 2") { out in
            let counter = MutableProperty(0)
            let work = SignalProducer<Never, Never> { observer, _ in
                counter.modify { $0 += 1 }
                observer.sendCompleted()
            }

            work.startWithCompleted { out.line("subscription \(counter.value)") }
            work.startWithCompleted { out.line("subscription \(counter.value)") }
        },

        WorkedExample(
            "EX-3", "on: effects are added to a producer, and run when it is started",
            prints: "made", "about to complete subscription 1", "subscription 1"
        ) { out in
            let counter = MutableProperty(0)
            let work = SignalProducer<Never, Never> { observer, _ in
                counter.modify { $0 += 1 }
                observer.sendCompleted()
            }
            .on(completed: { out.line("about to complete subscription \(counter.value)") })
            out.line("made")

            work.startWithCompleted { out.line("subscription \(counter.value)") }
        },

        WorkedExample("EX-6", "concat: one after the other", prints: "A B C D E F G H I 1 2 3 4 5 6 7 8 9") { out in
            Sequences.letters.concat(Sequences.numbers).startWithNext { out.word($0) }
        },

        WorkedExample(
            "EX-12", "then: the values of the second only",
            prints: "A B C D E F G H I", "1 2 3 4 5 6 7 8 9"
        ) { out in
            let words = MutableProperty<[String]>([])
            Sequences.letters
                .on(next: { letter in words.modify { $0.append(letter) } })
                .then(Sequences.numbers)
                .collect()
                .startWithNext { values in
                    out.line(words.value.joined(separator: " "))
                    out.line(values.joined(separator: " "))
                }
        },

        WorkedExample(
            "EX-18", "Side effects happen for each start", prints: "subscriber one: 1", "subscriber two: 2"
        ) { out in
            let aNumber = MutableProperty(0)
            let producer = SignalProducer<Int, Never> { observer, _ in
                let number = aNumber.modify { number in
                    number += 1
                    return number
                }
                observer.sendNext(number)
                observer.sendCompleted()
            }

            producer.startWithNext { out.line("subscriber one: \($0)") }
            producer.startWithNext { out.line("subscriber two: \($0)") }
        },

        WorkedExample(
            "EX-19", "An operator's closure runs for each start, too",
            prints: "First will launch 1 missiles", "Second will launch 2 missiles"
        ) { out in
            let missiles = MutableProperty(0)
            let launches = SignalProducer<String, Never>(value: "missiles").map { thing in
                let count = missiles.modify { count in
                    count += 1
                    return count
                }
                return "will launch \(count) \(thing)"
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
            SignalProducer<Int, Never>(value: 1)
                .repeat(1_000_000)
                .reduce(0, +)
                .startWithNext { sum in out.line("\(sum) rounds") }

            let rounds = MutableProperty(0)
            let round = SignalProducer<Int, Failure>.attempt {
                rounds.modify { number in
                    number += 1
                    return number
                }
            }
            round.attempt { number throws(Failure) in if number == 3 { throw Failure() } }
                .repeatForever()
                .startWithError { _ in out.line("an error ends it after \(rounds.value)") }

            rounds.value = 0
            round.repeatForever().startWithSignal { signal, interrupter in
                signal.observe { event in
                    if event.value == 5 { interrupter.dispose() }
                }
            }
            out.line("disposal ends it after \(rounds.value)")
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

            let isGone = MutableProperty(false)
            let (work, input) = Signal<Int, Never>.pipe()
            var loader: Loader? = Loader { isGone.value = true }
            loader?.load(work.producer)
            loader = nil
            input.sendNext(1)
            out.line("let go of: \(isGone.value ? "gone" : "still there")")
            input.sendCompleted()
            out.line("completed: \(isGone.value ? "gone" : "still there")")
        },
    ]
}
