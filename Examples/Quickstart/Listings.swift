// Written by Scripts/quickstart-listings out of the examples beside it. A test compares the two.

/// The code of the examples, as text.
enum Listings {
    static let code: [String: String] = [
        "action": #"""
        let command = Action<Void, Never, Never> {
            print("button was pressed!")
            return .empty
        }
        let (presses, button) = Signal<Void, Never>.pipe()
        command <~ presses

        button.sendNext(())
        button.sendNext(())
        """#,
        "log-in": #"""
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
        """#,
        "merge": #"""
        let (letters, lettersInput) = Signal<String, Never>.pipe()
        let (numbers, numbersInput) = Signal<String, Never>.pipe()
        Signal.merge([letters, numbers]).observeNext { print($0, terminator: " ") }

        lettersInput.sendNext("A")
        numbersInput.sendNext("1")
        lettersInput.sendNext("B")
        lettersInput.sendNext("C")
        numbersInput.sendNext("2")
        """#,
        "merge-ends": #"""
        let (userRepositories, userInput) = Signal<String, Never>.pipe()
        let (organisationRepositories, organisationInput) = Signal<String, Never>.pipe()
        Signal.merge([userRepositories, organisationRepositories])
            .observeCompleted { print("They're both done!") }

        userInput.sendNext("signals")
        userInput.sendCompleted()
        organisationInput.sendNext("website")
        organisationInput.sendCompleted()
        """#,
        "combineLatest": #"""
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
        """#,
        "zip": #"""
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
        """#,
        "parallel": #"""
        let (database, file) = (QueueScheduler(name: "database"), QueueScheduler(name: "file"))
        let databaseWork = SignalProducer<String, Never>(value: "database").start(on: database)
        let fileWork = SignalProducer<String, Never>(value: "file").start(on: file).replayEagerly()
        let done = DispatchSemaphore(value: 0)
        SignalProducer.combineLatest(databaseWork, fileWork)
            .map { database, file in "finished with \(database) and \(file)" }
            .on(next: { print($0) }, completed: { print("Done processing") })
            .startWithCompleted { done.signal() }
        done.wait()
        """#,
        "flatten-concat": #"""
        let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
        let numbers = SignalProducer<String, Never>((1...9).map(String.init))
        SignalProducer([letters, numbers])
            .flatten(.concat)
            .startWithNext { print($0, terminator: " ") }
        """#,
        "flatten-merge": #"""
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
        """#,
        "flatten-latest": #"""
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
        """#,
        "flatMap": #"""
        let numbers = SignalProducer<String, Never>((1...9).map(String.init))
        numbers
            .flatMap(.concat) { number in SignalProducer<String, Never>([number, number]) }
            .startWithNext { print($0, terminator: " ") }
        """#,
        "flatMap-filter": #"""
        let numbers = SignalProducer<String, Never>((1...9).map(String.init))
        numbers
            .flatMap(.concat) { number -> SignalProducer<String, Never> in
                Int(number).map { $0 % 2 == 0 } == true ? .empty : SignalProducer(value: number + "_")
            }
            .startWithNext { print($0, terminator: " ") }
        """#,
        "flatMap-ends": #"""
        let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
        let saving = MutableProperty<[Signal<Never, Never>.Observer]>([])
        @Sendable func saveEntries(_ letter: String) -> SignalProducer<Never, Never> {
            SignalProducer { observer, _ in saving.modify { $0.append(observer) } }
        }
        letters
            .flatMap(.merge) { saveEntries($0) }
            .startWithCompleted { print("All database entries saved successfully.") }

        for observer in saving.value { observer.sendCompleted() }
        """#,
        "flatMap-lazy": #"""
        let transforms = MutableProperty(0)
        let doubled = SignalProducer<Int, Never>([1, 2, 3]).flatMap(.concat) { number in
            transforms.modify { $0 += 1 }
            return SignalProducer<Int, Never>(value: number * 2)
        }
        print("\(transforms.value) transforms")

        doubled.map { "\($0)" }.collect().startWithNext { print($0.joined(separator: " ")) }
        print("\(transforms.value) transforms")
        """#,
        "requests": #"""
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
        """#,
        "then-errors": #"""
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
        """#,
        "start": #"""
        let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
        letters.startWithNext { letter in print(letter, terminator: " ") }
        """#,
        "each-start": #"""
        let counter = MutableProperty(0)
        let work = SignalProducer<Never, Never> { observer, _ in
            counter.modify { $0 += 1 }
            observer.sendCompleted()
        }

        work.startWithCompleted { print("subscription \(counter.value)") }
        work.startWithCompleted { print("subscription \(counter.value)") }
        """#,
        "side-effects": #"""
        let aNumber = MutableProperty(0)
        let producer = SignalProducer<Int, Never> { observer, _ in
            let number = aNumber.modify { number in
                number += 1
                return number
            }
            observer.sendNext(number)
            observer.sendCompleted()
        }

        producer.startWithNext { print("subscriber one: \($0)") }
        producer.startWithNext { print("subscriber two: \($0)") }
        """#,
        "operator-effects": #"""
        let missiles = MutableProperty(0)
        let launches = SignalProducer<String, Never>(value: "missiles").map { thing in
            let count = missiles.modify { count in
                count += 1
                return count
            }
            return "will launch \(count) \(thing)"
        }

        launches.startWithNext { print("First \($0)") }
        launches.startWithNext { print("Second \($0)") }
        """#,
        "on": #"""
        let counter = MutableProperty(0)
        let work = SignalProducer<Never, Never> { observer, _ in
            counter.modify { $0 += 1 }
            observer.sendCompleted()
        }
        .on(completed: { print("about to complete subscription \(counter.value)") })
        print("made")

        work.startWithCompleted { print("subscription \(counter.value)") }
        """#,
        "interrupt": #"""
        let work = SignalProducer<Int, Never>.never
        work.startWithInterrupted { print("interrupted") }.dispose()
        """#,
        "concat": #"""
        let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
        let numbers = SignalProducer<String, Never>((1...9).map(String.init))
        letters.concat(numbers).startWithNext { print($0, terminator: " ") }
        """#,
        "then": #"""
        let letters = SignalProducer<String, Never>("ABCDEFGHI".map(String.init))
        let numbers = SignalProducer<String, Never>((1...9).map(String.init))
        let words = MutableProperty<[String]>([])
        letters
            .on(next: { letter in words.modify { $0.append(letter) } })
            .then(numbers)
            .collect()
            .startWithNext { values in
                print(words.value.joined(separator: " "))
                print(values.joined(separator: " "))
            }
        """#,
        "flatMapError": #"""
        struct Failure: Error {}
        let doSomething = SignalProducer<Never, Never>.empty
        let doSomethingElse = SignalProducer<Never, Failure>(error: Failure())
        doSomething
            .then {
                doSomethingElse.flatMapError { error in
                    print("presented \(error)")
                    return SignalProducer<Never, Never>.empty
                }
            }
            .startWithCompleted { print("All done.") }
        """#,
        "repeat": #"""
        struct Failure: Error {}
        SignalProducer<Int, Never>(value: 1)
            .repeat(1_000_000)
            .reduce(0, +)
            .startWithNext { sum in print("\(sum) rounds") }

        let rounds = MutableProperty(0)
        let round = SignalProducer<Int, Failure>.attempt {
            rounds.modify { number in
                number += 1
                return number
            }
        }
        round.attempt { number throws(Failure) in if number == 3 { throw Failure() } }
            .repeatForever()
            .startWithError { _ in print("an error ends it after \(rounds.value)") }

        rounds.value = 0
        round.repeatForever().startWithSignal { signal, interrupter in
            signal.observe { event in
                if event.value == 5 { interrupter.dispose() }
            }
        }
        print("disposal ends it after \(rounds.value)")
        """#,
        "multicast": #"""
        let request = SignalProducer<String, Never> { observer, lifetime in
            print("requested")
            observer.sendNext("R")
            lifetime.observeEnded {
                print("cancelled")
                withExtendedLifetime(observer) {}
            }
        }
        let connection = request.multicast(replay: 1)

        let disposable = connection.connect()
        connection.producer.startWithNext { print("subscriber one: \($0)") }
        connection.producer.startWithNext { print("subscriber two: \($0)") }
        disposable.dispose()
        """#,
        "cycle": #"""
        /// Captured by the observer whose disposable it holds.
        final class Loader: Sendable {
            let loading = SerialDisposable()
            let onDeath: @Sendable () -> Void

            init(onDeath: @escaping @Sendable () -> Void) { self.onDeath = onDeath }

            deinit { onDeath() }

            func load(_ work: SignalProducer<Int, Never>) {
                loading.inner = work.startWithNext { _ in self.touch() }
            }

            func touch() {}
        }

        let isGone = MutableProperty(false)
        let (work, input) = Signal<Int, Never>.pipe()
        var loader: Loader? = Loader { isGone.value = true }
        loader?.load(work.producer)
        loader = nil
        input.sendNext(1)
        print("let go of: \(isGone.value ? "gone" : "still there")")
        input.sendCompleted()
        print("completed: \(isGone.value ? "gone" : "still there")")
        """#,
        "value": #"""
        let username = MutableProperty("jane")
        username.producer.startWithNext { name in print(name) }

        username.value = "joan"
        username.value = "bob"
        """#,
        "property-filter": #"""
        let username = MutableProperty("ann")
        username.producer
            .filter { name in name.hasPrefix("j") }
            .startWithNext { name in print(name) }

        for name in ["jane", "bob", "joan", "Jim"] { username.value = name }
        """#,
        "binding": #"""
        let (notifications, notificationCenter) = Signal<String, Never>.pipe()
        let loggedIn = MutableProperty(true)
        loggedIn <~ notifications.mapReplace(false)
        print("logged in: \(loggedIn.value)")

        notificationCenter.sendNext("user did log out")
        print("logged in: \(loggedIn.value)")
        """#,
        "derived": #"""
        let password = MutableProperty("secret")
        let confirmation = MutableProperty("")
        let createEnabled = MutableProperty(true)
        createEnabled <~ Property.combineLatest(password, confirmation).map { $0 == $1 }
        createEnabled.producer.startWithNext { isEnabled in print("enabled: \(isEnabled)") }

        confirmation.value = "secre"
        confirmation.value = "secret"
        password.value = "secrets"
        """#,
        "conditions": #"""
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
        """#,
        "bookkeeping": #"""
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
        """#,
        "schedulers": #"""
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
        """#,
        "lift": #"""
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
        """#,
        "weak": #"""
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
        """#,
        "owner": #"""
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
        """#,
        "names": #"""
        let username = MutableProperty("joshaber")
        let named = username.producer
            .named("username")
            .skipRepeats()
            .take(first: 3)
            .filter { name in name == "joshaber" }
        print(named)
        """#,
        "memoized": #"""
        let underscored = ["A", "B", "C"].memoized.map { letter in
            print("computing \(letter)")
            return letter + "_"
        }
        print("made")
        print(underscored.head ?? "nothing")
        print(underscored.tail.head ?? "nothing")
        """#,
        "memoized-once": #"""
        let logging = ["A", "B", "C"].memoized.map { letter in
            print(letter)
            return letter + "_"
        }
        _ = logging.head
        _ = logging.tail.head
        _ = logging.tail.head
        let derived = logging.map { "_" + $0 }
        print("derived: \(derived.tail.head ?? "nothing")")
        """#,
        "map": #"""
        let (letters, input) = Signal<String, Never>.pipe()
        letters
            .map { letter in letter + letter }
            .observeNext { print($0, terminator: " ") }

        for letter in "ABCDEFGHI" { input.sendNext(String(letter)) }
        """#,
        "filter": #"""
        let (numbers, input) = Signal<Int, Never>.pipe()
        numbers
            .filter { number in number % 2 == 0 }
            .observeNext { print($0, terminator: " ") }

        for number in 1...9 { input.sendNext(number) }
        """#,
        "chain": #"""
        let (strings, input) = Signal<String, Never>.pipe()
        strings
            .filter { string in string.count >= 2 }
            .map { string in string + "foobar" }
            .observeNext { print($0, terminator: " ") }

        for string in ["a", "bb", "ccc"] { input.sendNext(string) }
        """#,
        "observers": #"""
        let (endless, input) = Signal<Int, Never>.pipe()
        let first = endless.observe { event in print("first: \(event.value.map(String.init) ?? "\(event)")") }
        endless.observe { event in
            if let value = event.value { print("second: \(value)") }
        }

        input.sendNext(1)
        first?.dispose()
        input.sendNext(2)
        """#,
        "endings": #"""
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
        """#,
    ]
}
