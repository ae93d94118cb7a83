/// Hidden code that the examples in documentation comments need, by file.
///
/// An article contains its own setup, in an HTML comment. In a source file, that would distract the reader.
enum Preludes {
    /// A value of any type, for code that is compiled but not run.
    static let any = "@Sendable func any<T>() -> T { fatalError() }\n"

    private static let tap = """
        struct RequestLog: StreamTap {}
        let requestLog = RequestLog()

        """

    /// The modules of the comments in a file that a reader of ReactiveSignals has to import besides.
    static func modules(of file: String) -> [String] {
        // The article draws the operators of all modules.
        if file.hasPrefix("Sources/Server/") || file.hasSuffix("/OperatorsOnStreams.md") { return ["ReactiveServer"] }
        if file.hasPrefix("Sources/SignalsFoundation/Recording/") || file.hasSuffix("/RecordAndReplay.md") {
            return ["Foundation", "ReactiveSignalsFoundation"]
        }
        if file.hasPrefix("Sources/Diagnostics/") { return ["ReactiveDiagnostics"] }
        return file.hasPrefix("Sources/Sequences/") ? ["MemoizedSequences"] : []
    }

    /// A recording of three numbers, and a file for it. It is deleted at the end.
    private static func recording(_ times: (Int, Int, Int), _ end: Int, values: (Int, Int, Int)) -> String {
        newFile + """
            try [
                #"{"format":"ReactiveSignals recording","version":1,"began":"","unit":"ns"}"#,
                #"{"stream":0,"name":"numbers"}"#,
                #"{"time":\(times.0)000000000,"stream":0,"next":\(values.0)}"#,
                #"{"time":\(times.1)000000000,"stream":0,"next":\(values.1)}"#,
                #"{"time":\(times.2)000000000,"stream":0,"next":\(values.2)}"#,
                #"{"time":\(end)000000000,"stream":0,"completed":true}"#, "",
            ].joined(separator: "\\n").write(to: file, atomically: false, encoding: .utf8)

            """
    }

    private static let newFile = """
        let file = FileManager.default.temporaryDirectory.appending(path: "events-\\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }

        """

    /// Declarations at file level.
    static let declarations: [String: String] = [
        "Sources/Producers/Scope/RunProducer.swift": """
        import ReactiveSignals
        private struct JobFailed: Error {}
        private let jobs = SignalProducer<Int, JobFailed>.never

        """,
        "Sources/SignalsFoundation/DataForRequest.swift": """
        import Foundation
        import FoundationNetworking
        import ReactiveSignalsFoundation
        private let request = URLRequest(url: URL(filePath: "/"))

        """,
        "Sources/SignalsFoundation/FileChunks.swift": """
        import Foundation
        import ReactiveSignalsFoundation
        private let log = URL(filePath: "/")

        """,
        "Sources/SignalsFoundation/FileLines.swift": """
        import Foundation
        import ReactiveSignalsFoundation
        private let log = URL(filePath: "/")

        """,
        "Sources/SignalsFoundation/Notifications.swift": """
        import Foundation
        import ReactiveSignalsFoundation
        extension Notification.Name { fileprivate static let cacheDidShrink = Self("cacheDidShrink") }

        """,
        "Sources/Observation/ObservableProperty.swift": """
        import Observation
        import ReactiveObservation

        """,
        "Sources/Observation/PropertyObserving.swift": """
        import Observation
        import ReactiveObservation
        @MainActor @Observable private final class Cart { var prices: [Int] = [] }

        """,
        // API of a package trait that these tests are built without.
        "Sources/SignalsTesting/Contract/Exploration/OperatorContract+Explore.swift": """
        import ReactiveSignalsTesting
        extension OperatorContract { fileprivate func explore() throws {} }

        """,
        "Sources/SignalsTesting/Contract/ContractProbe.swift": """
        import ReactiveSignals
        extension Signal {
            fileprivate func every(_ count: Int, _ see: @escaping @Sendable (Value) -> Void) -> Signal { on(next: see) }
        }

        """,
    ]

    /// Code that the drawings use besides their inputs and `clock`.
    static let drawings: [String: String] = [
        "Sources/Signals/Operators/Attempt.swift": """
        let check: @Sendable (Int) throws(X) -> Void = { number throws(X) in if number > 2 { throw X() } }
        """,
        "Sources/Signals/Operators/AttemptMap.swift": """
        let parse: @Sendable (String) throws(X) -> Int = { text throws(X) in
            guard let number = Int(text) else { throw X() }
            return number
        }
        """,
        "Sources/Signals/Operators/Custom/StreamOperator.swift": """
        struct Numbered<Value: Sendable, Failure: Error>: StreamOperator {
            private var position = 0
            mutating func receive(_ value: Value, to output: inout OperatorOutput<(Int, Value), Failure>) {
                output.sendNext((position, value))
                position += 1
            }
        }
        """,
        "Sources/Signals/Operators/MapAsync.swift": """
        let slow: @Sendable (Int) async -> Int = { number in
            try? await Task.sleep(for: .seconds(6), clock: clock)
            return number
        }
        """,
        "Sources/Signals/Operators/MapError.swift": "struct Failed: Error { init(_: X) {} }",
        "Sources/Signals/Operators/Partition.swift": "let (even, odd) = source.partition { $0 % 2 == 0 }",
        "Sources/SignalsFoundation/Recording/Replaying.swift": recording((1, 3, 9), 11, values: (1, 2, 3)),
        "Sources/Signals/Operators/TakeDuring.swift": """
        let (lifetime, token) = Lifetime.make()
        clock.schedule(after: .seconds(7)) { token.dispose() }
        """,
    ]

    static let all: [String: String] = [
        "Sources/Async/Retrieval/First.swift": any + """
            struct Failed: Error {}
            struct Reply: Sendable { let id: Int }
            let (replies, id): (Signal<Reply, Failed>, Int) = any()
            func fetchUser(_ id: Int) -> SignalProducer<String, Failed> { any() }
            """,
        "Sources/Async/Retrieval/Next.swift": any + """
            enum State { case ready }
            struct Connection { let state = MutableProperty(State.ready) }
            let connection = Connection()
            """,
        "Sources/Async/Retrieval/Wait.swift": any + """
            let migration: SignalProducer<Int, Never> = any()
            """,
        "Sources/Async/Sequences/AsyncEvents.swift": any + """
            struct Failed: Error {}
            struct File { func append(_: Int) {}; func close() {}; func remove() {} }
            let (download, file): (Signal<Int, Failed>, File) = any()
            """,
        "Sources/Async/Sequences/AsyncValues.swift": any + """
            struct Failed: Error {}
            func display(_: Int, missed: Int = 0) {}
            let sensor: Signal<Int, Failed> = any()
            """,
        "Sources/Async/Sequences/EventsBuffering.swift": any + """
            struct Progress: Sendable { func show(_: Event<Int, Never>) {} }
            let (upload, progress): (SignalProducer<Int, Never>, Progress) = any()
            """,
        "Sources/Async/Sequences/ValuesBuffering.swift": any + """
            struct Failed: Error {}
            func tail(_ path: String) -> SignalProducer<String, Failed> { any() }
            let path = ""
            struct Window: Sendable { func show(_: String) async {} }
            let (title, window) = (MutableProperty(""), Window())
            """,
        "Sources/SignalsFoundation/Recording/EventRecorder.swift": newFile,
        "Sources/SignalsFoundation/Recording/EventHistory+Write.swift": newFile,
        "Sources/SignalsFoundation/Recording/Replaying.swift": "struct OrderError: Error, Codable {}\n"
            + recording((1, 2, 3), 4, values: (3, 5, 8)),
        "Sources/Action/Async/Action+AsyncMaking.swift": any + """
            struct Credentials: Sendable {}
            struct LogInError: Error {}
            struct API: Sendable { func logIn(_: Credentials) async throws(LogInError) -> Int { any() } }
            let api = API()
            """,
        "Sources/Action/Async/Action+Execute.swift": any + """
            let (logIn, credentials): (Action<Int, Int, Never>, Int) = any()
            """,
        "Sources/Signals/Operators/Attempt.swift": """
        let numbers = Signal<Int, Never>.never
        @Sendable func check(_: Int) throws {}
        """,
        "Sources/Signals/Operators/AttemptMap.swift": """
        let lines = Signal<String, Never>.never
        @Sendable func parse(_: String) throws -> Int { 0 }
        """,
        "Sources/Producers/Operators/Attempt.swift": """
        let numbers = SignalProducer<Int, Never>.never
        @Sendable func check(_: Int) throws {}
        """,
        "Sources/Producers/Operators/AttemptMap.swift": """
        let lines = SignalProducer<String, Never>.never
        @Sendable func parse(_: String) throws -> Int { 0 }
        """,
        "Sources/Property/Property.swift": """
        let readings = Signal<Int, Never>.never
        """,
        "Sources/Producers/Async/Into/AsyncOperation.swift": any + """
            struct HTTPError: Error {}
            struct Oracle: Sendable { func ask(_: String) async -> String { "" } }
            @Sendable func fetch(_ url: String) async throws(HTTPError) -> String { "" }
            let (url, question, oracle) = ("", "", Oracle())
            """,
        "Sources/Producers/Async/Into/Callback.swift": any + """
            struct Address: Sendable {}
            struct Page: Sendable {}
            struct LookUpError: Error {}
            struct HTTPError: Error {}
            struct LoadTask: Sendable { func cancel() {} }
            struct Resolver: Sendable {
                func resolve(_: String, _: @escaping @Sendable (Result<Address, LookUpError>) -> Void) {}
            }
            struct Session: Sendable {
                func load(_: String, _: @escaping @Sendable (Result<Page, HTTPError>) -> Void) -> LoadTask { LoadTask() }
            }
            let (host, url, resolver, session) = ("", "", Resolver(), Session())
            """,
        "Sources/Producers/Operators/Uninterruptible.swift": """
        struct Order: Sendable {}
        struct Receipt: Sendable {}
        struct Slow: Error {}
        @Sendable func insert(_ order: Order) async -> Receipt { Receipt() }
        let (order, scheduler) = (Order(), TestScheduler())
        """,
        "Sources/Producers/Operators/WaitingForWork.swift": """
        struct Slow: Error {}
        @Sendable func ask() async -> Int { 1 }
        let scheduler = TestScheduler()
        """,
        "Sources/Producers/Async/Into/FromAsyncSequence.swift": """
        import Foundation
        struct Bytes { let lines = AsyncStream<String> { nil } }
        struct Handle { let bytes = Bytes() }
        let handle = Handle()
        """,
        "Sources/Producers/Async/Into/Pulling.swift": any + """
            struct Page: Sendable {}
            struct HTTPError: Error {}
            let urls = AsyncStream<String> { nil }
            @Sendable func fetch(_: String) -> SignalProducer<Page, HTTPError> { any() }
            """,
        "Sources/Producers/Async/Into/UnfoldAsync.swift": any + """
            struct Page: Sendable { let next: String? }
            struct HTTPError: Error {}
            @Sendable func fetch(_: String) async throws(HTTPError) -> Page { any() }
            """,
        "Sources/Producers/Isolation/StartIsolated.swift": """
        struct Page: Sendable {}
        struct CrawlError: Error {}
        """,
        "Sources/Producers/Scope/RunProducer.swift": """
        import Foundation
        protocol Service { func run() async throws }
        @Sendable func cancelWhenGracefulShutdown(_ work: @Sendable () async throws -> Void) async throws {}
        let server = SignalProducer<Int, Never>.never
        """,
        "Sources/Producers/Scope/WithSignalScope.swift": """
        let (requests, heartbeat) = (SignalProducer(value: 1), SignalProducer(value: 1))
        let readings = SignalProducer<Int, Never>.never
        @Sendable func store(_: Int) {}
        let listener = AnyDisposable {}
        @Sendable func handle(_: Int) {}
        @Sendable func serve() async throws {}
        """,
        "Sources/Producers/Sources/System/FileDescriptor.swift": """
        let socket: Int32 = 0
        @Sendable func readBytes(_: Int32, atMost: Int) -> [UInt8] { [] }
        @Sendable func flush() {}
        """,
        "Sources/Server/System/ProcessExit.swift": "let child: Int32 = 1",
        "Sources/Server/System/UnixSignal.swift": """
        import Foundation
        struct Server: Sendable { func stop() {} }
        let server = Server()
        """,
        "Sources/Signals/Operators/Custom/Applying.swift": any + """
            struct Median<Failure: Error>: StreamOperator {
                init(of count: Int) {}
                mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, Failure>) {}
            }
            let readings: Signal<Int, Never> = any()
            """,
        "Sources/Signals/Operators/Custom/StreamOperator.swift": any + """
            let names: Signal<String, Never> = any()
            """,
        "Sources/Signals/Schedulers/ActorScheduler.swift": any + """
            actor Cache { func clear() {} }
            let (cache, evictions): (Cache, Signal<Int, Never>) = any()
            """,
        "Sources/Signals/Schedulers/ClockScheduler.swift": any + """
            let queries: Signal<Int, Never> = any()
            """,
        "Sources/Signals/Schedulers/ExecutorScheduler.swift": any + """
            struct Loop { let executor: any SerialExecutor }
            struct Channel: Sendable { func write(_: Int) {} }
            let (eventLoop, requests, channel): (Loop, Signal<Int, Never>, Channel) = any()
            """,
        "Sources/Signals/Schedulers/MainActorScheduler.swift": any + """
            @MainActor final class Window { func show(_: Int) {} }
            let (downloads, window): (Signal<Int, Never>, Window) = any()
            """,
        "Sources/SignalsTesting/Contract/Exploration/OperatorContract+Explore.swift": """
        struct Numbered<Value: Sendable, Failure: Error>: StreamOperator {
            mutating func receive(_ value: Value, to output: inout OperatorOutput<(Int, Value), Failure>) {}
        }
        """,
        "Sources/SignalsTesting/Contract/OperatorContract.swift": """
        struct Numbered<Value: Sendable, Failure: Error>: StreamOperator {
            mutating func receive(_ value: Value, to output: inout OperatorOutput<(Int, Value), Failure>) {}
        }
        """,
        "Sources/SignalsTesting/Doubles/StreamProbe.swift": any + """
            import Testing
            let scheduler = TestScheduler()
            let requests: SignalProducer<Int, Never> = any()
            @Sendable func load(_: Int) -> SignalProducer<Int, Never> { any() }
            """,
        "Sources/SignalsTesting/Doubles/UnrulySource.swift": """
        import Testing
        let scheduler = TestScheduler()
        """,
        "Sources/SignalsTesting/Marbles/MarbleExpectations.swift": any + """
            let recorder: TestObserver<Int, Never> = any()
            """,
        "Sources/SignalsTesting/Marbles/MarbleDifference.swift": "let scheduler = TestScheduler()",
        "Sources/SignalsTesting/Marbles/MarbleValues.swift": "let scheduler = TestScheduler()",
        "Sources/SignalsTesting/Marbles/MarbleSources.swift": """
        struct Failed: Error {}
        struct Page: Sendable {}
        let scheduler = TestScheduler()
        """,
        "Sources/SignalsTesting/Recording/TestObserver.swift": any + """
            import Testing
            let scheduler = TestScheduler()
            let producer: SignalProducer<String, Never> = any()
            """,
        "Sources/SignalsTesting/Scheduler/TestScheduler+Clock.swift": "let scheduler = TestScheduler()",
        "Sources/SignalsTesting/Scheduler/TestScheduler+Executor.swift": """
        let scheduler = TestScheduler()
        @Sendable func work() async {}
        """,
        "Sources/SignalsTesting/Scheduler/TestScheduler+Run.swift": any + """
            let scheduler = TestScheduler()
            let source: Signal<String, Never> = any()
            """,
        "Sources/SignalsTesting/Scheduler/TestScheduler.swift": "let scheduler = TestScheduler()",
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
        "Sources/Producers/Operators/Retry.swift": any + """
            struct Failed: Error {}
            let scheduler = TestScheduler()
            let source: SignalProducer<Int, Failed> = any()
            """,
        "Sources/Producers/Operators/RetryPolicy.swift": any + """
            struct Failed: Error {}
            let users: SignalProducer<Int, Failed> = any()
            """,
        "Sources/Producers/Operators/Partition.swift": any + """
            struct Request: Sendable { let isValid: Bool }
            struct Response: Sendable { init(rejecting: Request) {} }
            let requests: SignalProducer<Request, Never> = any()
            @Sendable func handle(_: Request) -> SignalProducer<Response, Never> { any() }
            """,
        "Sources/Sequences/MemoizedSequence.swift": """
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
        "Sources/Producers/Sources/Unfold.swift": any + """
            struct FileError: Error {}
            struct File: Sendable { func read(at _: Int) throws(FileError) -> [UInt8] { any() } }
            let file = File()
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
        "Sources/Signals/Observability/StreamTap.swift": any + """
            struct Failed: Error {}
            let request: SignalProducer<Int, Failed> = any()
            """,
        "Sources/Signals/Operators/Breakpoint.swift": any + """
            struct Order: Sendable { let total: Int }
            struct Failed: Error {}
            let orders: Signal<Order, Failed> = any()
            """,
        "Sources/Signals/Operators/Tapped.swift": tap + """
            @Sendable func handle(_: String) {}
            """,
        "Sources/Producers/Operators/Tapped.swift": any + tap + """
            let request: SignalProducer<Int, Never> = any()
            """,
        "Sources/Property/Streams/Tapped.swift": any + """
            struct HealthLog: StreamTap {}
            let (healthLog, configurationLog) = (HealthLog(), HealthLog())
            let checks: Property<Int> = any()
            @Sendable func summary(_: Int) -> String { "" }
            """,
        "Sources/Action/Action+Tapped.swift": any + tap + """
            struct Draft: Sendable {}
            struct Receipt: Sendable {}
            struct SaveError: Error {}
            @Sendable func store(_: Draft) -> SignalProducer<Receipt, SaveError> { any() }
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
