import Dispatch
import ReactiveSignals

extension Chapter {
    static let properties = Chapter(
        "Properties", about: "A property has a value at any time, and reports when it changes.",
        examples: [
            WorkedExample(
                "value", "the value, and then each change",
                prints: "jane", "joan", "bob"
            ) { print in
                let username = MutableProperty("jane")
                username.producer.startWithNext { name in print(name) }

                username.value = "joan"
                username.value = "bob"
            },

            WorkedExample(
                "property-filter", "the producer of a property has all operators",
                prints: "jane", "joan"
            ) { print in
                let username = MutableProperty("ann")
                username.producer
                    .filter { name in name.hasPrefix("j") }
                    .startWithNext { name in print(name) }

                for name in ["jane", "bob", "joan", "Jim"] { username.value = name }
            },

            WorkedExample(
                "binding", "<~ sets the property to each value of a signal",
                prints: "logged in: true", "logged in: false"
            ) { print in
                let (notifications, notificationCenter) = Signal<String, Never>.pipe()
                let loggedIn = MutableProperty(true)
                loggedIn <~ notifications.mapReplace(false)
                print("logged in: \(loggedIn.value)")

                notificationCenter.sendNext("user did log out")
                print("logged in: \(loggedIn.value)")
            },

            WorkedExample(
                "derived", "two equal passwords enable a button",
                prints: "enabled: false", "enabled: false", "enabled: true", "enabled: false"
            ) { print in
                let password = MutableProperty("secret")
                let confirmation = MutableProperty("")
                let createEnabled = MutableProperty(true)
                createEnabled <~ Property.combineLatest(password, confirmation).map { $0 == $1 }
                createEnabled.producer.startWithNext { isEnabled in print("enabled: \(isEnabled)") }

                confirmation.value = "secre"
                confirmation.value = "secret"
                password.value = "secrets"
            },

            WorkedExample(
                "conditions", "a button enabled by four conditions, in all sixteen combinations",
                prints: "-,-,false,false: false", "-,-,false,true: false", "-,-,true,false: false",
                "-,-,true,true: false", "-,secret,false,false: false", "-,secret,false,true: false",
                "-,secret,true,false: false", "-,secret,true,true: false", "jane,-,false,false: false",
                "jane,-,false,true: false", "jane,-,true,false: false", "jane,-,true,true: false",
                "jane,secret,false,false: true", "jane,secret,false,true: false", "jane,secret,true,false: false",
                "jane,secret,true,true: false"
            ) { print in
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
                            print("\(texts),\(loggingIn),\(loggedIn): \(isEnabled.value)")
                        }
                    }
                }
            },

            WorkedExample(
                "bookkeeping", "side effects are explicit in the chain, and a binding accepts no errors",
                prints: "[1, 2], success: true, error: none, value: 2",
                "[1], success: false, error: Failure(), value: 1"
            ) { print in
                struct Failure: Error {}
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
                    print("\(nexts.value), success: \(success.value), error: \(error), value: \(value.value)")
                }
            },

            WorkedExample(
                "schedulers", "work on one scheduler, and its result on another",
                prints: "downloaded on the background", "assigned on the main scheduler", "the image of jane"
            ) { print in
                let background = QueueScheduler(name: "background")
                let main = QueueScheduler(name: "main")
                func fetchUser(_ name: String) -> SignalProducer<String, Never> { SignalProducer(value: name) }

                let download = fetchUser("jane")
                    .observe(on: background)
                    .map { user in
                        if CurrentScheduler.value === background { print("downloaded on the background") }
                        return "the image of \(user)"
                    }
                    .observe(on: main)

                let image = MutableProperty<String?>(nil)
                let assigned = DispatchSemaphore(value: 0)
                image.signal.observeNext { _ in
                    if CurrentScheduler.value === main { print("assigned on the main scheduler") }
                    assigned.signal()
                }
                image <~ download
                assigned.wait()
                print(image.value ?? "no image")
            },

            WorkedExample(
                "lift", "a function on signals, applied to the value and its changes",
                prints: "validated jane", "true", "validated jo", "false", "validated joan", "true"
            ) { print in
                @Sendable func validate(_ usernames: Signal<String, Never>) -> Signal<Bool, Never> {
                    usernames.map { username in
                        print("validated \(username)")
                        return username.count > 2
                    }
                }

                let username = MutableProperty("jane")
                username.producer
                    .lift(validate)
                    .startWithNext { isValid in print(isValid) }
                username.value = "jo"
                username.value = "joan"
            },

            WorkedExample(
                "weak", "an observer that captures its owner weakly does not keep it alive",
                prints: "validating jane", "validating joan", "the form is gone", "the name is jo"
            ) { print in
                /// Checks a user name that belongs to somebody else.
                final class Form: Sendable {
                    private let print: Printer

                    init(_ username: MutableProperty<String>, _ print: Printer) {
                        self.print = print
                        username.producer.startWithNext { [weak self] name in self?.validate(name) }
                    }

                    deinit { print("the form is gone") }

                    func validate(_ name: String) { print("validating \(name)") }
                }

                let username = MutableProperty("jane")
                var form: Form? = Form(username, print)
                withExtendedLifetime(form) { username.value = "joan" }
                form = nil
                username.value = "jo"
                print("the name is \(username.value)")
            },

            WorkedExample(
                "owner", "a derived property does not capture its owner",
                prints: "true", "true", "true", "the owner is gone"
            ) { print in
                /// A form whose user name is checked as it changes.
                final class Form: Sendable {
                    let username = MutableProperty("jane")
                    let isValid: Property<Bool>
                    private let print: Printer

                    init(_ print: Printer) {
                        self.print = print
                        isValid = username.map { _ in true }
                    }

                    deinit { print("the owner is gone") }
                }

                var form: Form? = Form(print)
                form?.isValid.producer.startWithNext { isValid in print(isValid) }
                form?.username.value = "joan"
                form?.username.value = "jo"
                form = nil
            },

            WorkedExample(
                "names", "a stream knows the operators applied to it",
                prints: "[[[username] -skipRepeats] -take: 3] -filter:"
            ) { print in
                let username = MutableProperty("joshaber")
                let named = username.producer
                    .named("username")
                    .skipRepeats()
                    .take(first: 3)
                    .filter { name in name == "joshaber" }
                print(named)
            },
        ])
}
