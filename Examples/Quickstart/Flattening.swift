import Dispatch
import ReactiveSignals

extension WorkedExample {
    private struct Failure: Error {}

    /// Streams of streams.
    static let flattening = [
        WorkedExample(
            "EX-7", "flatten(.concat): sequences, one after the other", prints: "A B C D E F G H I 1 2 3 4 5 6 7 8 9"
        ) { out in
            SignalProducer([Sequences.letters, Sequences.numbers])
                .flatten(.concat)
                .startWithNext { out.word($0) }
        },

        WorkedExample("EX-8", "flatten(.merge): signals, all together", prints: "A 1 B C 2", "completed") { out in
            let (signals, signalsInput) = Signal<Signal<String, Never>, Never>.pipe()
            let (letters, lettersInput) = Signal<String, Never>.pipe()
            let (numbers, numbersInput) = Signal<String, Never>.pipe()
            let flattened = signals.flatten(.merge)
            flattened.observeNext { out.word($0) }
            flattened.observeCompleted { out.line("completed") }

            signalsInput.sendNext(letters)
            signalsInput.sendNext(numbers)
            signalsInput.sendCompleted()
            lettersInput.sendNext("A")
            numbersInput.sendNext("1")
            lettersInput.sendNext("B")
            lettersInput.sendNext("C")
            numbersInput.sendNext("2")
            lettersInput.sendCompleted()
            numbersInput.sendCompleted()
        },

        WorkedExample("EX-9", "flatMap: each number twice", prints: "1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9") { out in
            Sequences.numbers
                .flatMap(.concat) { number in SignalProducer<String, Never>([number, number]) }
                .startWithNext { out.word($0) }
        },

        WorkedExample("EX-10", "flatMap: nothing for the even numbers", prints: "1_ 3_ 5_ 7_ 9_") { out in
            Sequences.numbers
                .flatMap(.concat) { number -> SignalProducer<String, Never> in
                    Int(number).map { $0 % 2 == 0 } == true ? .empty : SignalProducer(value: number + "_")
                }
                .startWithNext { out.word($0) }
        },

        WorkedExample(
            "EX-11", "flatMap: completes when all that was begun has",
            prints: "All database entries saved successfully."
        ) { out in
            let saving = MutableProperty<[Signal<Never, Never>.Observer]>([])
            @Sendable func saveEntries(_ letter: String) -> SignalProducer<Never, Never> {
                SignalProducer { observer, _ in saving.modify { $0.append(observer) } }
            }
            Sequences.letters
                .flatMap(.merge) { saveEntries($0) }
                .startWithCompleted { out.line("All database entries saved successfully.") }

            for observer in saving.value { observer.sendCompleted() }
        },

        WorkedExample("EX-15", "flatten(.latest): what is switched off is not heard", prints: "A B 1 D") { out in
            let (letters, lettersInput) = Signal<String, Never>.pipe()
            let (numbers, numbersInput) = Signal<String, Never>.pipe()
            let (outer, outerInput) = Signal<Signal<String, Never>, Never>.pipe()
            outer.flatten(.latest).observeNext { out.word($0) }

            outerInput.sendNext(letters)
            lettersInput.sendNext("A")
            lettersInput.sendNext("B")
            outerInput.sendNext(numbers)
            lettersInput.sendNext("C")
            numbersInput.sendNext("1")
            outerInput.sendNext(letters)
            numbersInput.sendNext("2")
            lettersInput.sendNext("D")
        },

        WorkedExample(
            "EX-23", "map is flatMap with one value each, and runs nothing before a start",
            prints: "0 transforms", "2 4 6", "3 transforms"
        ) { out in
            let transforms = MutableProperty(0)
            let doubled = SignalProducer<Int, Never>([1, 2, 3]).flatMap(.concat) { number in
                transforms.modify { $0 += 1 }
                return SignalProducer<Int, Never>(value: number * 2)
            }
            out.line("\(transforms.value) transforms")

            doubled.map { "\($0)" }.collect().startWithNext { out.line($0.joined(separator: " ")) }
            out.line("\(transforms.value) transforms")
        },

        WorkedExample(
            "EX-33", "flatMap: one request after another, and an error stops them",
            prints: "New messages: cached", "New messages: fetched", "Fetched all messages.", "Failure()"
        ) { out in
            for fails in [false, true] {
                let logIn = SignalProducer<String, Failure>.attempt { () throws(Failure) in
                    if fails { throw Failure() }
                    return "jane"
                }
                logIn
                    .flatMap(.concat) { _ in SignalProducer<String, Failure>(value: "cached") }
                    .flatMap(.concat) { cached in SignalProducer<String, Failure>([cached, "fetched"]) }
                    .start { event in
                        switch event {
                        case .next(let messages): out.line("New messages: \(messages)")
                        case .completed: out.line("Fetched all messages.")
                        case .error(let error): out.line(error)
                        case .interrupted: break
                        }
                    }
            }
        },

        WorkedExample(
            "EX-37", "then and flatMap: the error of any step comes once", prints: "Fetched all messages.", "Failure()"
        ) { out in
            for fails in [false, true] {
                let logIn = fails ? SignalProducer<Never, Failure>(error: Failure()) : .empty
                logIn
                    .then(SignalProducer<String, Failure>(value: "cached"))
                    .flatMap(.concat) { _ in SignalProducer<Never, Failure>.empty }
                    .start { event in
                        switch event {
                        case .completed: out.line("Fetched all messages.")
                        case .error(let error): out.line(error)
                        case .interrupted: break
                        }
                    }
            }
        },

        WorkedExample(
            "EX-38", "combineLatest: two pieces of work in parallel, and what is made of both",
            prints: "finished with database and file", "Done processing"
        ) { out in
            let (database, file) = (QueueScheduler(name: "database"), QueueScheduler(name: "file"))
            let databaseWork = SignalProducer<String, Never>(value: "database").start(on: database)
            let fileWork = SignalProducer<String, Never>(value: "file").start(on: file).replayEagerly()
            let done = DispatchSemaphore(value: 0)
            SignalProducer.combineLatest(databaseWork, fileWork)
                .map { database, file in "finished with \(database) and \(file)" }
                .on(next: { out.line($0) }, completed: { out.line("Done processing") })
                .startWithCompleted { done.signal() }
            done.wait()
        },
    ]
}
