import ReactiveSignals

extension Chapter {
    static let signals = Chapter(
        "Signals",
        about: "A signal is a stream of events that happen anyway. All observers receive the same ones.",
        examples: [
            WorkedExample(
                "map", "doubles each letter",
                prints: "AA BB CC DD EE FF GG HH II"
            ) { print in
                let (letters, input) = Signal<String, Never>.pipe()
                letters
                    .map { letter in letter + letter }
                    .observeNext { print($0, terminator: " ") }

                for letter in "ABCDEFGHI" { input.sendNext(String(letter)) }
            },

            WorkedExample(
                "filter", "keeps the even numbers",
                prints: "2 4 6 8"
            ) { print in
                let (numbers, input) = Signal<Int, Never>.pipe()
                numbers
                    .filter { number in number % 2 == 0 }
                    .observeNext { print($0, terminator: " ") }

                for number in 1...9 { input.sendNext(number) }
            },

            WorkedExample(
                "chain", "filter, then map, instead of a loop over a collection",
                prints: "bbfoobar cccfoobar"
            ) { print in
                let (strings, input) = Signal<String, Never>.pipe()
                strings
                    .filter { string in string.count >= 2 }
                    .map { string in string + "foobar" }
                    .observeNext { print($0, terminator: " ") }

                for string in ["a", "bb", "ccc"] { input.sendNext(string) }
            },

            WorkedExample(
                "observers", "one of two observers is disposed of",
                prints: "first: 1", "second: 1", "second: 2"
            ) { print in
                let (endless, input) = Signal<Int, Never>.pipe()
                let first = endless.observe { event in print("first: \(event.value.map(String.init) ?? "\(event)")") }
                endless.observe { event in
                    if let value = event.value { print("second: \(value)") }
                }

                input.sendNext(1)
                first?.dispose()
                input.sendNext(2)
            },

            WorkedExample(
                "endings", "at most one terminal event, and nothing after it",
                prints: "1 2 failed with Failure()", "1 2 completed", "1 2 was interrupted"
            ) { print in
                struct Failure: Error {}
                for terminal: Event<Int, Failure> in [.error(Failure()), .completed, .interrupted] {
                    let (signal, input) = Signal<Int, Failure>.pipe()
                    signal.observe { event in
                        switch event {
                        case .next(let value): print(value, terminator: " ")
                        case .error(let error): print("failed with \(error)")
                        case .completed: print("completed")
                        case .interrupted: print("was interrupted")
                        }
                    }

                    input.sendNext(1)
                    input.sendNext(2)
                    input.send(terminal)
                    // Too late: nobody hears of these.
                    input.sendNext(3)
                    input.sendCompleted()
                }
            },
        ])
}
