import ReactiveSignals

extension WorkedExample {
    /// Several signals made into one.
    static let combining = [
        WorkedExample("EX-13", "merge: values of both, as they come", prints: "A 1 B C 2") { out in
            let (letters, lettersInput) = Signal<String, Never>.pipe()
            let (numbers, numbersInput) = Signal<String, Never>.pipe()
            Signal.merge([letters, numbers]).observeNext { out.word($0) }

            lettersInput.sendNext("A")
            numbersInput.sendNext("1")
            lettersInput.sendNext("B")
            lettersInput.sendNext("C")
            numbersInput.sendNext("2")
        },

        WorkedExample("EX-32", "merge: completes once both have", prints: "They're both done!") { out in
            let (userRepositories, userInput) = Signal<String, Never>.pipe()
            let (organisationRepositories, organisationInput) = Signal<String, Never>.pipe()
            Signal.merge([userRepositories, organisationRepositories])
                .observeCompleted { out.line("They're both done!") }

            userInput.sendNext("signals")
            userInput.sendCompleted()
            organisationInput.sendNext("website")
            organisationInput.sendCompleted()
        },

        WorkedExample("EX-14", "combineLatest: the latest of both, at any change", prints: "B1 B2 C2 C3") { out in
            let (letters, lettersInput) = Signal<String, Never>.pipe()
            let (numbers, numbersInput) = Signal<String, Never>.pipe()
            Signal.combineLatest(letters, numbers)
                .map { letter, number in letter + number }
                .observeNext { out.word($0) }

            // No number yet, so A is never seen.
            lettersInput.sendNext("A")
            lettersInput.sendNext("B")
            numbersInput.sendNext("1")
            numbersInput.sendNext("2")
            lettersInput.sendNext("C")
            numbersInput.sendNext("3")
        },

        WorkedExample("EX-25", "zip, filter and map in a chain", prints: "5", "completed") { out in
            let (first, firstInput) = Signal<Int, Never>.pipe()
            let (second, secondInput) = Signal<Int, Never>.pipe()
            Signal.zip(first, second)
                .map { first, second in first + second }
                .filter { sum in sum >= 0 }
                .map { sum in sum + 1 }
                .observe { event in
                    switch event {
                    case .next(let value): out.line(value)
                    case .completed: out.line("completed")
                    case .interrupted: out.line("interrupted")
                    }
                }

            for value in [1, 2] { firstInput.sendNext(value) }
            for value in [3, -9] { secondInput.sendNext(value) }
            firstInput.sendCompleted()
        },
    ]
}
