import ReactiveSignals

extension WorkedExample {
    private struct Failure: Error {}

    /// How signals end, and how observing one does.
    static let events = [
        WorkedExample(
            "EX-43", "A signal ends with at most one terminal event",
            prints:
                "next(1) next(2) error(Failure())", "next(1) next(2) completed", "next(1) next(2) interrupted"
        ) { out in
            for terminal: Event<Int, Failure> in [.error(Failure()), .completed, .interrupted] {
                let (signal, input) = Signal<Int, Failure>.pipe()
                signal
                    .collect(count: 1)
                    .observe { event in
                        switch event {
                        case .next(let values) where values == [1]: out.line("next(1)")
                        case .next(let values): out.word("next(\(values[0]))")
                        case .error(let error): out.word("error(\(error))")
                        case .completed: out.word("completed")
                        case .interrupted: out.word("interrupted")
                        }
                    }

                input.sendNext(1)
                input.sendNext(2)
                input.send(terminal)
                // Too late.
                input.sendNext(3)
                input.sendCompleted()
            }
        },

        WorkedExample(
            "EX-41", "Of two observers of an endless signal, one leaves",
            prints: "first: 1", "second: 1", "second: 2"
        ) { out in
            let (endless, input) = Signal<Int, Never>.pipe()
            let first = endless.observe { event in out.line("first: \(event.value.map(String.init) ?? "\(event)")") }
            endless.observe { event in
                if let value = event.value { out.line("second: \(value)") }
            }

            input.sendNext(1)
            first?.dispose()
            input.sendNext(2)
        },
    ]
}
