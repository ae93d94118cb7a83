/// What the examples of documentation comments rest on and do not show, by the file that they are in.
///
/// A page says it itself, in a comment of HTML; a comment in a source would show it to everybody who reads the source.
enum Preludes {
    /// A value of any type, for code that is compiled and not run.
    static let any = "@Sendable func any<T>() -> T { fatalError() }\n"

    static let all: [String: String] = [
        "Sources/Action/Action.swift": any + """
            struct Credentials: Sendable {}
            struct Session: Sendable {}
            struct LogInError: Error {}
            struct API: Sendable { func logIn(_: Credentials) -> SignalProducer<Session, LogInError> { any() } }
            struct Form: Sendable { let isValid = MutableProperty(false) }
            let (api, form, credentials) = (API(), Form(), Credentials())
            @Sendable func show(_ session: Session) {}
            """,
        "Sources/Producers/Logging/LogEvents.swift": "let request = SignalProducer<Int, Never>.empty",
        "Sources/Producers/Operators/On.swift": any + """
            struct Failed: Error {}
            let request: SignalProducer<Int, Failed> = any()
            """,
        "Sources/Producers/Operators/RetryPolicy.swift": any + """
            struct Failed: Error {}
            let users: SignalProducer<Int, Failed> = any()
            """,
        "Sources/Producers/Sequences/MemoizedSequence.swift": """
        let lines = ["a", "b"]
        @Sendable func slow(_ number: Int) -> Int { number }
        """,
        "Sources/Producers/Sharing/Multicast.swift": "let request = SignalProducer(value: 1)",
        "Sources/Producers/Sharing/ReplayLazily.swift": "let load = SignalProducer(value: 1)",
        "Sources/Producers/Sources/AttemptOperation.swift": any + """
            struct FileError: Error {}
            @Sendable func fileSize(_ path: String) throws(FileError) -> Int { any() }
            let path = ""
            """,
        "Sources/Producers/Sources/Using.swift": any + """
            struct FileError: Error {}
            struct File: Sendable {
                let lines: SignalProducer<String, FileError>
                init(_ path: String) throws(FileError) { throw FileError() }
                func close() {}
            }
            struct Connection: Sendable {
                let rows: SignalProducer<String, Never>
                func close() async {}
            }
            @Sendable func connect() -> Connection { any() }
            let path = ""
            """,
        "Sources/Property/Bindings/Binding.swift": """
        let name = MutableProperty("")
        let isValid = MutableProperty(false)
        """,
        "Sources/Property/Bindings/BindingTarget.swift": """
        final class Label: Sendable {
            let (lifetime, token) = Lifetime.make()
            func show(_ text: String) {}
        }
        let status = MutableProperty(200)
        """,
        "Sources/Property/MutableProperty.swift": "let tickets = MutableProperty(0)",
        "Sources/Property/Validation/ValidatingProperty+Making.swift": """
        struct Invalid: Error {}
        let name = ValidatingProperty<String, Invalid>("") { $0.isEmpty ? .invalid(Invalid()) : .valid }
        let age = ValidatingProperty<Int, Invalid>(0) { $0 < 0 ? .invalid(Invalid()) : .valid }
        """,
        "Sources/Property/Validation/ValidatingProperty.swift": """
        enum PortError: Error { case outOfRange(Int) }
        """,
        "Sources/Signals/Disposables/AnyDisposable.swift": any + """
            struct Connection: Sendable { func close() {} }
            let connection = Connection()
            """,
        "Sources/Signals/Disposables/ScopedDisposable.swift": any + """
            let signal: Signal<Int, Never> = any()
            """,
        "Sources/Signals/Logging/LogEvents.swift": any + """
            let signal: Signal<String, Never> = any()
            """,
        "Sources/Signals/Operators/On.swift": any + """
            struct Failed: Error {}
            struct Metrics: Sendable { func count(_: Int) {} }
            let metrics = Metrics()
            @Sendable func log(_: Failed) {}
            let requests: Signal<Int, Failed> = any()
            """,
        "Sources/Signals/Operators/PromoteError.swift": any + """
            struct ParseError: Error {}
            @Sendable func check(_: String) throws(ParseError) {}
            let lines: Signal<String, Never> = any()
            """,
        "Sources/Signals/Schedulers/Scheduler+Recursive.swift": any + """
            struct Job { func run() {} }
            struct Jobs: Sendable { func next() -> Job? { nil } }
            let jobs = Jobs()
            let scheduler = QueueScheduler()
            """,
        "Sources/Signals/Signal+Name.swift": "let (input, _) = Signal<String, Never>.pipe()",
        "Sources/Signals/Signal.swift": any + """
            struct Timer: Sendable { func stop() {} }
            @Sendable func startTimer(_ tick: @escaping @Sendable (Int) -> Void) -> Timer { any() }
            """,
    ]
}
