import ReactiveSignals

extension Chapter {
    static let actions = Chapter(
        "Actions", about: "An action is work that runs on request, and that reports whether it can run.",
        examples: [
            WorkedExample(
                "action", "what a button does when it is pressed",
                prints: "button was pressed!", "button was pressed!"
            ) { print in
                let command = Action<Void, Never, Never> {
                    print("button was pressed!")
                    return .empty
                }
                let (presses, button) = Signal<Void, Never>.pipe()
                command <~ presses

                button.sendNext(())
                button.sendNext(())
            },

            WorkedExample(
                "log-in", "a button that logs in over the network, which can fail",
                prints: "Logged in successfully!", "Failure()", "Logged in successfully!"
            ) { print in
                struct Failure: Error {}
                let isOnline = MutableProperty(true)
                let logIn = Action<Void, String, Failure> {
                    .attempt { () throws(Failure) in
                        if !isOnline.value { throw Failure() }
                        return "jane"
                    }
                }
                logIn.completed.observeNext { print("Logged in successfully!") }
                logIn.errors.observeNext { error in print(error) }
                let (presses, button) = Signal<Void, Never>.pipe()
                logIn <~ presses

                button.sendNext(())
                isOnline.value = false
                button.sendNext(())
                isOnline.value = true
                button.sendNext(())
            },
        ])
}
