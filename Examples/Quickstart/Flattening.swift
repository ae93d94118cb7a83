import ReactiveSignals

extension Chapter {
    static let flattening = Chapter(
        "Flattening", about: "Streams of streams: each value starts work of its own.",
        examples: [
            WorkedExample(
                "flatten-concat", "sequences, one after the other",
                prints: "A B C D E F G H I 1 2 3 4 5 6 7 8 9"
            ) { print in
                let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
                let numbers = SignalProducer<String, Never>((1...9).map(String.init))
                SignalProducer([letters, numbers])
                    .flatten(.concat)
                    .startWithNext { print($0, terminator: " ") }
            },

            WorkedExample(
                "flatten-merge", "signals, all at the same time",
                prints: "A 1 B C 2 completed"
            ) { print in
                let (signals, signalsInput) = Signal<Signal<String, Never>, Never>.pipe()
                let (letters, lettersInput) = Signal<String, Never>.pipe()
                let (numbers, numbersInput) = Signal<String, Never>.pipe()
                let flattened = signals.flatten(.merge)
                flattened.observeNext { print($0, terminator: " ") }
                flattened.observeCompleted { print("completed") }

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

            WorkedExample(
                "flatten-latest", "only the latest signal: one that was replaced is no longer observed",
                prints: "A B 1 D"
            ) { print in
                let (letters, lettersInput) = Signal<String, Never>.pipe()
                let (numbers, numbersInput) = Signal<String, Never>.pipe()
                let (outer, outerInput) = Signal<Signal<String, Never>, Never>.pipe()
                outer.flatten(.latest).observeNext { print($0, terminator: " ") }

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
                "flatMap", "sends each number twice",
                prints: "1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9"
            ) { print in
                let numbers = SignalProducer<String, Never>((1...9).map(String.init))
                numbers
                    .flatMap(.concat) { number in SignalProducer<String, Never>([number, number]) }
                    .startWithNext { print($0, terminator: " ") }
            },

            WorkedExample(
                "flatMap-filter", "an inner producer may send nothing",
                prints: "1_ 3_ 5_ 7_ 9_"
            ) { print in
                let numbers = SignalProducer<String, Never>((1...9).map(String.init))
                numbers
                    .flatMap(.concat) { number -> SignalProducer<String, Never> in
                        Int(number).map { $0 % 2 == 0 } == true ? .empty : SignalProducer(value: number + "_")
                    }
                    .startWithNext { print($0, terminator: " ") }
            },

            WorkedExample(
                "flatMap-ends", "completes when everything it started has completed",
                prints: "All database entries saved successfully."
            ) { print in
                let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
                let saving = MutableProperty<[Signal<Never, Never>.Observer]>([])
                @Sendable func saveEntries(_ letter: String) -> SignalProducer<Never, Never> {
                    SignalProducer { observer, _ in saving.modify { $0.append(observer) } }
                }
                letters
                    .flatMap(.merge) { saveEntries($0) }
                    .startWithCompleted { print("All database entries saved successfully.") }

                for observer in saving.value { observer.sendCompleted() }
            },

            WorkedExample(
                "flatMap-lazy", "does nothing before it is started",
                prints: "0 transforms", "2 4 6", "3 transforms"
            ) { print in
                let transforms = MutableProperty(0)
                let doubled = SignalProducer<Int, Never>([1, 2, 3]).flatMap(.concat) { number in
                    transforms.modify { $0 += 1 }
                    return SignalProducer<Int, Never>(value: number * 2)
                }
                print("\(transforms.value) transforms")

                doubled.map { "\($0)" }.collect().startWithNext { print($0.joined(separator: " ")) }
                print("\(transforms.value) transforms")
            },

            WorkedExample(
                "requests", "one request after another, and an error stops them",
                prints: "New messages: cached", "New messages: fetched", "Fetched all messages.", "Failure()"
            ) { print in
                struct Failure: Error {}
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
                            case .next(let messages): print("New messages: \(messages)")
                            case .completed: print("Fetched all messages.")
                            case .error(let error): print(error)
                            case .interrupted: break
                            }
                        }
                }
            },

            WorkedExample(
                "then-errors", "the error of any step is sent once",
                prints: "Fetched all messages.", "Failure()"
            ) { print in
                struct Failure: Error {}
                for fails in [false, true] {
                    let logIn = fails ? SignalProducer<Never, Failure>(error: Failure()) : .empty
                    logIn
                        .then(SignalProducer<String, Failure>(value: "cached"))
                        .flatMap(.concat) { _ in SignalProducer<Never, Failure>.empty }
                        .start { event in
                            switch event {
                            case .completed: print("Fetched all messages.")
                            case .error(let error): print(error)
                            case .interrupted: break
                            }
                        }
                }
            },
        ])
}
