import ReactiveSignals

extension Chapter {
    static let producers = Chapter(
        "Producers",
        about: "A producer is a description of work. Each start runs the work separately.",
        examples: [
            WorkedExample(
                "start", "a started producer of a sequence sends each of its elements",
                prints: "A B C D E F G H I"
            ) { print in
                let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
                letters.startWithNext { letter in print(letter, terminator: " ") }
            },

            WorkedExample(
                "each-start", "each start does the work again",
                prints: "subscription 1", "subscription 2"
            ) { print in
                let counter = MutableProperty(0)
                let work = SignalProducer<Never, Never> { observer, _ in
                    counter.modify { $0 += 1 }
                    observer.sendCompleted()
                }

                work.startWithCompleted { print("subscription \(counter.value)") }
                work.startWithCompleted { print("subscription \(counter.value)") }
            },

            WorkedExample(
                "side-effects", "each start therefore has its side effects",
                prints: "subscriber one: 1", "subscriber two: 2"
            ) { print in
                let aNumber = MutableProperty(0)
                let producer = SignalProducer<Int, Never> { observer, _ in
                    let number = aNumber.modify { number in
                        number += 1
                        return number
                    }
                    observer.sendNext(number)
                    observer.sendCompleted()
                }

                producer.startWithNext { print("subscriber one: \($0)") }
                producer.startWithNext { print("subscriber two: \($0)") }
            },

            WorkedExample(
                "operator-effects", "the closure of an operator also runs for each start",
                prints: "First will launch 1 missiles", "Second will launch 2 missiles"
            ) { print in
                let missiles = MutableProperty(0)
                let launches = SignalProducer<String, Never>(value: "missiles").map { thing in
                    let count = missiles.modify { count in
                        count += 1
                        return count
                    }
                    return "will launch \(count) \(thing)"
                }

                launches.startWithNext { print("First \($0)") }
                launches.startWithNext { print("Second \($0)") }
            },

            WorkedExample(
                "on", "side effects added to a producer run when it is started",
                prints: "made", "about to complete subscription 1", "subscription 1"
            ) { print in
                let counter = MutableProperty(0)
                let work = SignalProducer<Never, Never> { observer, _ in
                    counter.modify { $0 += 1 }
                    observer.sendCompleted()
                }
                .on(completed: { print("about to complete subscription \(counter.value)") })
                print("made")

                work.startWithCompleted { print("subscription \(counter.value)") }
            },

            WorkedExample(
                "interrupt", "a start that is disposed of is interrupted",
                prints: "interrupted"
            ) { print in
                let work = SignalProducer<Int, Never>.never
                work.startWithInterrupted { print("interrupted") }.dispose()
            },

            WorkedExample(
                "concat", "one producer after the other",
                prints: "A B C D E F G H I 1 2 3 4 5 6 7 8 9"
            ) { print in
                let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
                let numbers = SignalProducer<String, Never>((1...9).map(String.init))
                letters.concat(numbers).startWithNext { print($0, terminator: " ") }
            },

            WorkedExample(
                "then", "waits for the first producer to complete, and sends only the values of the second",
                prints: "A B C D E F G H I", "1 2 3 4 5 6 7 8 9"
            ) { print in
                let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
                let numbers = SignalProducer<String, Never>((1...9).map(String.init))
                let words = MutableProperty<[String]>([])
                letters
                    .on(next: { letter in words.modify { $0.append(letter) } })
                    .then(numbers)
                    .collect()
                    .startWithNext { values in
                        print(words.value.joined(separator: " "))
                        print(values.joined(separator: " "))
                    }
            },

            WorkedExample(
                "flatMapError", "replaces an error with another stream",
                prints: "presented Failure()", "All done."
            ) { print in
                struct Failure: Error {}
                let doSomething = SignalProducer<Never, Never>.empty
                let doSomethingElse = SignalProducer<Never, Failure>(error: Failure())
                doSomething
                    .then {
                        doSomethingElse.flatMapError { error in
                            print("presented \(error)")
                            return SignalProducer<Never, Never>.empty
                        }
                    }
                    .startWithCompleted { print("All done.") }
            },

            WorkedExample(
                "repeat", "a million synchronous repetitions on a constant stack",
                prints: "1000000 rounds", "an error ends it after 3", "disposal ends it after 5"
            ) { print in
                struct Failure: Error {}
                SignalProducer<Int, Never>(value: 1)
                    .repeat(1_000_000)
                    .reduce(0, +)
                    .startWithNext { sum in print("\(sum) rounds") }

                let rounds = MutableProperty(0)
                let round = SignalProducer<Int, Failure>.attempt {
                    rounds.modify { number in
                        number += 1
                        return number
                    }
                }
                round.attempt { number throws(Failure) in if number == 3 { throw Failure() } }
                    .repeatForever()
                    .startWithError { _ in print("an error ends it after \(rounds.value)") }

                rounds.value = 0
                round.repeatForever().startWithSignal { signal, interrupter in
                    signal.observe { event in
                        if event.value == 5 { interrupter.dispose() }
                    }
                }
                print("disposal ends it after \(rounds.value)")
            },

            WorkedExample(
                "multicast", "one request for two observers",
                prints: "requested", "subscriber one: R", "subscriber two: R", "cancelled"
            ) { print in
                let request = SignalProducer<String, Never> { observer, lifetime in
                    print("requested")
                    observer.sendNext("R")
                    lifetime.observeEnded {
                        print("cancelled")
                        withExtendedLifetime(observer) {}
                    }
                }
                let connection = request.multicast(replay: 1)

                let disposable = connection.connect()
                connection.producer.startWithNext { print("subscriber one: \($0)") }
                connection.producer.startWithNext { print("subscriber two: \($0)") }
                disposable.dispose()
            },

            WorkedExample(
                "cycle", "the end of the work releases an object that stores the disposable of its own start",
                prints: "let go of: still there", "completed: gone"
            ) { print in
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
                print("let go of: \(isGone.value ? "gone" : "still there")")
                input.sendCompleted()
                print("completed: \(isGone.value ? "gone" : "still there")")
            },
        ])
}
