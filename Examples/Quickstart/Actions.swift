import ReactiveSignals

extension WorkedExample {
    private struct Failure: Error {}

    /// Work that a user asks for.
    static let actions = [
        WorkedExample(
            "EX-30", "Action: what the press of a button does", prints: "button was pressed!", "button was pressed!"
        ) { out in
            let command = Action<Void, Never, Never> {
                out.line("button was pressed!")
                return .empty
            }
            let (presses, button) = Signal<Void, Never>.pipe()
            command <~ presses

            button.sendNext(())
            button.sendNext(())
        },

        WorkedExample(
            "EX-31", "Action: a button that logs in over the network",
            prints: "Logged in successfully!", "Failure()", "Logged in successfully!"
        ) { out in
            let isOnline = MutableProperty(true)
            let logIn = Action<Void, String, Failure> {
                .attempt { () throws(Failure) in
                    if !isOnline.value { throw Failure() }
                    return "jane"
                }
            }
            logIn.completed.observeNext { out.line("Logged in successfully!") }
            logIn.errors.observeNext { error in out.line(error) }
            let (presses, button) = Signal<Void, Never>.pipe()
            logIn <~ presses

            button.sendNext(())
            isOnline.value = false
            button.sendNext(())
            isOnline.value = true
            button.sendNext(())
        },
    ]
}
