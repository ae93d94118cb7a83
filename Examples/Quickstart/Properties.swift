import Dispatch
import ReactiveSignals

extension WorkedExample {
    private struct Failure: Error {}

    /// Values that change, what is derived from them, and what is bound to them.
    static let properties = [
        WorkedExample("EX-27", "producer: the value, and then each change", prints: "jane", "joan", "bob") { out in
            let username = MutableProperty("jane")
            username.producer.startWithNext { name in out.line(name) }

            username.value = "joan"
            username.value = "bob"
        },

        WorkedExample("EX-28", "filter: the names that begin with j", prints: "jane", "joan") { out in
            let username = MutableProperty("ann")
            username.producer
                .filter { name in name.hasPrefix("j") }
                .startWithNext { name in out.line(name) }

            for name in ["jane", "bob", "joan", "Jim"] { username.value = name }
        },

        WorkedExample(
            "EX-22", "Names: a stream knows the operators that made it",
            prints: "[[[username] -skipRepeats] -take: 3] -filter:"
        ) { out in
            let username = MutableProperty("joshaber")
            let named = username.producer
                .named("username")
                .skipRepeats()
                .take(first: 3)
                .filter { name in name == "joshaber" }
            out.line(named)
        },

        WorkedExample(
            "EX-29", "combineLatest and <~: a button that two equal passwords enable",
            prints: "enabled: false", "enabled: false", "enabled: true", "enabled: false"
        ) { out in
            let password = MutableProperty("secret")
            let confirmation = MutableProperty("")
            let createEnabled = MutableProperty(true)
            createEnabled <~ Property.combineLatest(password, confirmation).map { $0 == $1 }
            createEnabled.producer.startWithNext { isEnabled in out.line("enabled: \(isEnabled)") }

            confirmation.value = "secre"
            confirmation.value = "secret"
            password.value = "secrets"
        },

        WorkedExample(
            "EX-35", "A button enabled by four conditions, all sixteen combinations",
            prints:
                "-,-,false,false: false", "-,-,false,true: false", "-,-,true,false: false", "-,-,true,true: false",
            "-,secret,false,false: false", "-,secret,false,true: false", "-,secret,true,false: false",
            "-,secret,true,true: false", "jane,-,false,false: false", "jane,-,false,true: false",
            "jane,-,true,false: false", "jane,-,true,true: false", "jane,secret,false,false: true",
            "jane,secret,false,true: false", "jane,secret,true,false: false", "jane,secret,true,true: false"
        ) { out in
            let username = MutableProperty("")
            let password = MutableProperty("")
            let isLoggingIn = MutableProperty(false)
            let isLoggedIn = MutableProperty(false)
            let mayLogIn = Property.combineLatest(username, password, isLoggingIn, isLoggedIn)
                .map { username, password, isLoggingIn, isLoggedIn in
                    !username.isEmpty && !password.isEmpty && !isLoggingIn && !isLoggedIn
                }
            let isEnabled = MutableProperty(true)
            isEnabled <~ mayLogIn

            for name in ["", "jane"] {
                for secret in ["", "secret"] {
                    for (loggingIn, loggedIn) in [(false, false), (false, true), (true, false), (true, true)] {
                        username.value = name
                        password.value = secret
                        isLoggingIn.value = loggingIn
                        isLoggedIn.value = loggedIn
                        let texts = [name, secret].map { $0.isEmpty ? "-" : $0 }.joined(separator: ",")
                        out.line("\(texts),\(loggingIn),\(loggedIn): \(isEnabled.value)")
                    }
                }
            }
        },

        WorkedExample(
            "EX-36", "mapReplace and <~: a notification that logs out", prints: "logged in: true", "logged in: false"
        ) { out in
            let (notifications, notificationCenter) = Signal<String, Never>.pipe()
            let loggedIn = MutableProperty(true)
            loggedIn <~ notifications.mapReplace(false)
            out.line("logged in: \(loggedIn.value)")

            notificationCenter.sendNext("user did log out")
            out.line("logged in: \(loggedIn.value)")
        },

        WorkedExample(
            "EX-20", "on and <~: side effects are spelled out in the chain",
            prints: "[1, 2], success: true, error: none, value: 2", "[1], success: false, error: Failure(), value: 1"
        ) { out in
            for terminal: Event<Int, Failure> in [.completed, .error(Failure())] {
                let (numbers, input) = Signal<Int, Failure>.pipe()
                let nexts = MutableProperty<[Int]>([])
                let receivedError = MutableProperty<Failure?>(nil)
                let success = MutableProperty(false)
                let bookkeeping = numbers.on(
                    next: { number in nexts.modify { $0.append(number) } },
                    error: { error in receivedError.value = error },
                    completed: { success.value = true })

                // A binding takes no errors: this one just ends.
                let value = MutableProperty(0)
                value <~ bookkeeping.flatMapError { _ in SignalProducer.empty }

                input.sendNext(1)
                if terminal.isCompleted { input.sendNext(2) }
                input.send(terminal)
                let error = receivedError.value.map { "\($0)" } ?? "none"
                out.line("\(nexts.value), success: \(success.value), error: \(error), value: \(value.value)")
            }
        },

        WorkedExample(
            "EX-34", "observe(on:) and <~: work on one scheduler, what is made of it on another",
            prints: "downloaded on the background", "assigned on the main scheduler", "the image of jane"
        ) { out in
            let background = QueueScheduler(name: "background")
            let main = QueueScheduler(name: "main")
            func fetchUser(_ name: String) -> SignalProducer<String, Never> { SignalProducer(value: name) }

            let download = fetchUser("jane")
                .observe(on: background)
                .map { user in
                    if CurrentScheduler.value === background { out.line("downloaded on the background") }
                    return "the image of \(user)"
                }
                .observe(on: main)

            let image = MutableProperty<String?>(nil)
            let assigned = DispatchSemaphore(value: 0)
            image.signal.observeNext { _ in
                if CurrentScheduler.value === main { out.line("assigned on the main scheduler") }
                assigned.signal()
            }
            image <~ download
            assigned.wait()
            out.line(image.value ?? "no image")
        },

        WorkedExample(
            "EX-42", "An observer that has its owner weakly lets it go",
            prints: "validating jane", "validating joan", "the form is gone", "the name is jo"
        ) { out in
            /// Checks a user name that belongs to somebody else.
            final class Form: Sendable {
                private let out: Transcript

                init(_ username: MutableProperty<String>, _ out: Transcript) {
                    self.out = out
                    username.producer.startWithNext { [weak self] name in self?.validate(name) }
                }

                deinit { out.line("the form is gone") }

                func validate(_ name: String) { out.line("validating \(name)") }
            }

            let username = MutableProperty("jane")
            var form: Form? = Form(username, out)
            withExtendedLifetime(form) { username.value = "joan" }
            form = nil
            username.value = "jo"
            out.line("the name is \(username.value)")
        },

        WorkedExample(
            "EX-45", "lift: a function on signals for the value and the changes, each validated once",
            prints: "validated jane", "true", "validated jo", "false", "validated joan", "true"
        ) { out in
            @Sendable func validate(_ usernames: Signal<String, Never>) -> Signal<Bool, Never> {
                usernames.map { username in
                    out.line("validated \(username)")
                    return username.count > 2
                }
            }

            let username = MutableProperty("jane")
            username.producer
                .lift(validate)
                .startWithNext { isValid in out.line(isValid) }
            username.value = "jo"
            username.value = "joan"
        },

        WorkedExample(
            "EX-46", "map: a property that is derived captures nothing of its owner",
            prints: "true", "true", "true", "the owner is gone"
        ) { out in
            /// A form whose user name is checked as it changes.
            final class Form: Sendable {
                let username = MutableProperty("jane")
                let isValid: Property<Bool>
                private let out: Transcript

                init(_ out: Transcript) {
                    self.out = out
                    isValid = username.map { _ in true }
                }

                deinit { out.line("the owner is gone") }
            }

            var form: Form? = Form(out)
            form?.isValid.producer.startWithNext { isValid in out.line(isValid) }
            form?.username.value = "joan"
            form?.username.value = "jo"
            form = nil
        },
    ]
}
