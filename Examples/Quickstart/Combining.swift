import Dispatch
import ReactiveSignals

extension Chapter {
    static let combining = Chapter(
        "Combining", about: "Several streams become one.",
        examples: [
            WorkedExample(
                "merge", "the values of both signals, in the order in which they arrive",
                prints: "A 1 B C 2"
            ) { print in
                let (letters, lettersInput) = Signal<String, Never>.pipe()
                let (numbers, numbersInput) = Signal<String, Never>.pipe()
                Signal.merge([letters, numbers]).observeNext { print($0, terminator: " ") }

                lettersInput.sendNext("A")
                numbersInput.sendNext("1")
                lettersInput.sendNext("B")
                lettersInput.sendNext("C")
                numbersInput.sendNext("2")
            },

            WorkedExample(
                "merge-ends", "completes when both signals have completed",
                prints: "They're both done!"
            ) { print in
                let (userRepositories, userInput) = Signal<String, Never>.pipe()
                let (organisationRepositories, organisationInput) = Signal<String, Never>.pipe()
                Signal.merge([userRepositories, organisationRepositories])
                    .observeCompleted { print("They're both done!") }

                userInput.sendNext("signals")
                userInput.sendCompleted()
                organisationInput.sendNext("website")
                organisationInput.sendCompleted()
            },

            WorkedExample(
                "combineLatest", "the latest values of both signals, whenever one of them changes",
                prints: "B1 B2 C2 C3"
            ) { print in
                let (letters, lettersInput) = Signal<String, Never>.pipe()
                let (numbers, numbersInput) = Signal<String, Never>.pipe()
                Signal.combineLatest(letters, numbers)
                    .map { letter, number in letter + number }
                    .observeNext { print($0, terminator: " ") }

                // No number yet, so A is never seen.
                lettersInput.sendNext("A")
                lettersInput.sendNext("B")
                numbersInput.sendNext("1")
                numbersInput.sendNext("2")
                lettersInput.sendNext("C")
                numbersInput.sendNext("3")
            },

            WorkedExample(
                "zip", "pairs of values, and operators after them",
                prints: "5", "completed"
            ) { print in
                let (first, firstInput) = Signal<Int, Never>.pipe()
                let (second, secondInput) = Signal<Int, Never>.pipe()
                Signal.zip(first, second)
                    .map { first, second in first + second }
                    .filter { sum in sum >= 0 }
                    .map { sum in sum + 1 }
                    .observe { event in
                        switch event {
                        case .next(let value): print(value)
                        case .completed: print("completed")
                        case .interrupted: print("interrupted")
                        }
                    }

                for value in [1, 2] { firstInput.sendNext(value) }
                for value in [3, -9] { secondInput.sendNext(value) }
                firstInput.sendCompleted()
            },

            WorkedExample(
                "parallel", "two units of work at the same time, and their combined result",
                prints: "finished with database and file", "Done processing"
            ) { print in
                let (database, file) = (QueueScheduler(name: "database"), QueueScheduler(name: "file"))
                let databaseWork = SignalProducer<String, Never>(value: "database").start(on: database)
                let fileWork = SignalProducer<String, Never>(value: "file").start(on: file).replayEagerly()
                let done = DispatchSemaphore(value: 0)
                SignalProducer.combineLatest(databaseWork, fileWork)
                    .map { database, file in "finished with \(database) and \(file)" }
                    .on(next: { print($0) }, completed: { print("Done processing") })
                    .startWithCompleted { done.signal() }
                done.wait()
            },
        ])
}
