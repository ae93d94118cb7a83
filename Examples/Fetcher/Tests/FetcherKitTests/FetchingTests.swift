import FetcherKit
import NIOCore
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Suite("Fetching on virtual time")
struct FetchingTests {
    private let scheduler = TestScheduler()

    private func fetching(
        _ script: Script, _ settings: FetchSettings = .plain, into directory: Directory? = nil
    ) -> Fetching {
        let slots = Slots<FetchUpdate>(limit: settings.concurrency, perHost: settings.perHost)
        return Fetching(settings, slots: slots, directory: directory, on: scheduler, transport: script.transport)
    }

    private func request(_ url: String, at second: Double) -> Script.Request { .init(url: url, second: second) }

    @Test("sends the updates of a target, and its end last")
    func updates() {
        let script = Script(scheduler) { _, _, _ in .answer("body") }
        let target = targets("http://h/x")[0]
        let updates = fetching(script).fetch(target).collected()
        #expect(
            updates.all == [.requested(target.address), .responded(length: 4), .received(bytes: 4), .fetched])
        #expect(script.active == 0)
    }

    @Test("does nothing before it is started, and the whole work for each start")
    func cold() {
        let script = Script(scheduler) { _, _, _ in .answer("body") }
        let fetch = fetching(script).fetch(targets("http://h/x")[0])
        #expect(script.requests == [])
        fetch.start()
        fetch.start()
        #expect(script.requests.count == 2)
    }

    @Test("waits between attempts with doubling delays, and fails with the last error")
    func backoff() {
        let errors: [FetchError] = [.status(500), .timedOut(.seconds(1)), .connection("reset"), .garbage("what?")]
        let script = Script(scheduler) { _, number, _ in SignalProducer(error: errors[number - 1]) }
        let target = targets("http://h/x")[0]
        let updates = fetching(script, .plain.with { $0.retries = 3 }).fetch(target).collected()
        scheduler.run()
        #expect(script.requests == [0, 1, 3, 7].map { request("http://h/x", at: $0) })
        let attempts: [[FetchUpdate]] = errors.dropLast().map { [.requested(target.address), .setBack($0)] }
        #expect(updates.all == Array(attempts.joined()) + [.requested(target.address), .failed(errors[3])])
    }

    @Test("no delay exceeds the maximum")
    func longestPause() {
        let script = Script(scheduler) { _, _, _ in SignalProducer(error: .status(503)) }
        let settings = FetchSettings.plain.with {
            $0.retries = 4
            $0.longestPause = .seconds(3)
        }
        fetching(script, settings).fetch(targets("http://h/x")[0]).start()
        scheduler.run()
        #expect(script.requests.map(\.second) == [0, 1, 3, 6, 9])
    }

    @Test(
        "permanent errors are not retried",
        arguments: [
            FetchError.status(404), .status(501), .redirect("nowhere"), .file("full"), .stopped,
        ])
    func permanent(_ error: FetchError) {
        let script = Script(scheduler) { _, _, _ in SignalProducer(error: error) }
        let updates = fetching(script).fetch(targets("http://h/x")[0]).collected()
        scheduler.run()
        #expect(script.requests.count == 1)
        // Reported once.
        #expect(updates.all.dropFirst() == [.failed(error)])
    }

    @Test("a body that is shorter or longer than announced fails", arguments: [3, 5])
    func wrongLength(_ length: Int) {
        let script = Script(scheduler) { _, _, _ in
            SignalProducer([.head(status: 200, length: length, location: nil), .body(ByteBuffer(string: "four"))])
        }
        let updates = fetching(script, .plain.with { $0.retries = 0 }).fetch(targets("http://h/x")[0]).collected()
        #expect(updates.last == .failed(.wrongLength(expected: length, received: 4)))
    }

    @Test("a request that takes too long is cancelled, and retried after the delay")
    func timeout() {
        let script = Script(scheduler) { _, number, scheduler in number == 1 ? .never : .answer("late") }
        let updates = fetching(script, .plain.with { $0.timeout = .seconds(5) })
            .fetch(targets("http://h/x")[0]).collected()
        scheduler.advance(by: .milliseconds(4999))
        #expect(script.active == 1)
        scheduler.advance(by: .milliseconds(1))
        #expect(script.active == 0)
        #expect(updates.last == .setBack(.timedOut(.seconds(5))))
        scheduler.run()
        #expect(script.requests.map(\.second) == [0, 6])
        #expect(updates.last == .fetched)
    }

    @Test("a body can take any time, as long as it keeps arriving")
    func slowBody() {
        let script = Script(scheduler) { _, _, scheduler in
            let parts = (0..<20).map { _ in
                SignalProducer<ResponsePart, FetchError>(value: .body(ByteBuffer(string: "part"))).after(
                    4, on: scheduler)
            }
            return SignalProducer(value: .head(status: 200, length: 80, location: nil))
                .concat(SignalProducer<Script.Answer, FetchError>(parts).flatten(.concat))
        }
        let updates = fetching(script, .plain.with { $0.timeout = .seconds(5) })
            .fetch(targets("http://h/x")[0]).collected()
        scheduler.run()
        #expect(script.requests.map(\.second) == [0])
        #expect(updates.last == .fetched)
        #expect(scheduler.now.offset == .seconds(80))
    }

    @Test("a body that stops arriving is cancelled, counted from its last part")
    func silentBody() {
        let script = Script(scheduler) { _, number, scheduler in
            if number == 2 { return .answer("whole") }
            return SignalProducer([.head(status: 200, length: 100, location: nil)])
                .concat(.answer("half").skip(first: 1).after(4, on: scheduler)).concat(.never)
        }
        let updates = fetching(script, .plain.with { $0.timeout = .seconds(5) })
            .fetch(targets("http://h/x")[0]).collected()
        scheduler.advance(by: .milliseconds(8999))
        #expect(script.active == 1)
        scheduler.advance(by: .milliseconds(1))
        #expect(script.active == 0)
        #expect(updates.last == .setBack(.timedOut(.seconds(5))))
        scheduler.run()
        #expect(script.requests.map(\.second) == [0, 10])
        #expect(updates.last == .fetched)
    }

    @Test("waits for the time that the server asks for, after the delay of the policy")
    func retryAfter() {
        let script = Script(scheduler) { path, number, _ in
            path == "/b" || number > 2 ? .answer() : SignalProducer(error: .status(503, retryAfter: .seconds(30)))
        }
        let settings = FetchSettings.plain.with { $0.concurrency = 1 }
        let updates = fetching(script, settings).fetchAll(targets("http://h/a", "http://h/b")).collected()
        scheduler.run()
        // Delays of 1 and 2 seconds, and twice 30. They occupy no slot.
        #expect(
            script.requests == [
                request("http://h/a", at: 0), request("http://h/b", at: 0), request("http://h/a", at: 31),
                request("http://h/a", at: 63),
            ])
        #expect(updates.all.map(\.update).filter(\.isEnd) == [.fetched, .fetched])
    }

    @Test("the delay that one failure asks for does not apply to the next")
    func retryAfterOnce() {
        let script = Script(scheduler) { _, number, _ in
            switch number {
            case 1: SignalProducer(error: .status(429, retryAfter: .seconds(30)))
            case 2: SignalProducer(error: .connection("reset"))
            default: .answer()
            }
        }
        fetching(script).fetch(targets("http://h/x")[0]).start()
        scheduler.run()
        #expect(script.requests.map(\.second) == [0, 31, 33])
    }

    @Test("does not wait if there is no retry")
    func retryAfterTheLast() {
        let error = FetchError.status(503, retryAfter: .seconds(30))
        let script = Script(scheduler) { _, _, _ in SignalProducer(error: error) }
        let updates = fetching(script, .plain.with { $0.retries = 0 }).fetch(targets("http://h/x")[0]).collected()
        #expect(updates.last == .failed(error))
        // The same applies if the server asks for more time than is left.
        let other = fetching(
            script,
            .plain.with {
                $0.retries = 9
                $0.overallTimeout = .seconds(30)
            }
        ).fetch(targets("http://h/y")[0]).collected()
        #expect(other.last == .failed(error))
        #expect(script.requests.count == 2)
    }

    @Test("a target has a time limit for all attempts and delays, from its first request")
    func overallTimeout() {
        let script = Script(scheduler) { path, _, scheduler in
            path == "/first" ? .answer().after(100, on: scheduler) : SignalProducer(error: .status(503))
        }
        let settings = FetchSettings.plain.with {
            $0.concurrency = 1
            $0.timeout = .seconds(200)
            $0.overallTimeout = .seconds(120)
            $0.retries = 1000
        }
        let fetching = fetching(script, settings)
        let updates = fetching.fetchAll(targets("http://h/first", "http://h/second")).collected()
        scheduler.advance(by: .seconds(219))
        #expect(updates.all.filter(\.update.isEnd).map(\.update) == [.fetched])
        // The 100 seconds of waiting for a slot do not count.
        scheduler.advance(by: .seconds(1))
        #expect(updates.last?.update == .failed(.outOfTime(.seconds(120))))
        let count = script.requests.count
        scheduler.run()
        #expect(script.requests.count == count)
    }

    @Test("a delay occupies no slot, and retries go before new requests")
    func pausesGiveWay() {
        let script = Script(scheduler) { path, number, scheduler in
            switch (path, number) {
            case ("/a", 1): SignalProducer(error: .status(503))
            default: .answer().after(2, on: scheduler)
            }
        }
        let all = targets("http://h/a", "http://h/b", "http://h/c")
        fetching(script, .plain.with { $0.concurrency = 1 }).fetchAll(all).start()
        scheduler.run()
        #expect(
            script.requests == [
                request("http://h/a", at: 0), request("http://h/b", at: 0), request("http://h/a", at: 2),
                request("http://h/c", at: 4),
            ])
    }

    @Test("a redirect occupies a slot of its own host, and belongs to the same attempt")
    func redirects() {
        let script = Script(scheduler) { path, _, scheduler in
            path == "/a" ? .redirect(to: "http://other/b") : .answer("body").after(1, on: scheduler)
        }
        let target = targets("http://h/a")[0]
        let settings = FetchSettings.plain.with {
            $0.concurrency = 1
            $0.perHost = 1
        }
        let updates = fetching(script, settings).fetch(target).collected()
        scheduler.run()
        #expect(script.requests.map(\.url) == ["http://h/a", "http://other/b"])
        var transfer = Transfer(target)
        for update in updates.all { transfer.apply(update) }
        #expect(transfer.stage == .fetched)
        #expect(transfer.attempts == 1)
    }

    @Test("a retry after a redirect starts at the original URL")
    func retryAfterRedirect() {
        let script = Script(scheduler) { path, number, _ in
            path == "/a" ? .redirect(to: "/b") : number == 1 ? SignalProducer(error: .status(503)) : .answer()
        }
        fetching(script).fetch(targets("http://h/a")[0]).start()
        scheduler.run()
        #expect(script.requests.map(\.url) == ["http://h/a", "http://h/b", "http://h/a", "http://h/b"])
    }

    @Test("disposing cancels the request, and deletes the partial file")
    func disposal() throws {
        let directory = try TemporaryDirectory()
        let script = Script(scheduler) { _, _, _ in
            SignalProducer([.head(status: 200, length: 100, location: nil), .body(ByteBuffer(string: "half"))])
                .concat(.never)
        }
        let start = fetching(script, into: try Directory(directory.path)).fetch(targets("http://h/x")[0]).start()
        #expect(directory.names.count == 1)
        start.dispose()
        #expect(directory.names == [])
        #expect(script.active == 0)
    }

    @Test("a failed target does not affect the others")
    func independent() {
        let script = Script(scheduler) { path, _, _ in
            path == "/bad" ? SignalProducer(error: .status(404)) : .answer("good")
        }
        let updates = fetching(script).fetchAll(targets("http://h/a", "http://h/bad", "http://h/b")).collected()
        #expect(updates.all.filter(\.update.isEnd).map(\.update) == [.fetched, .failed(.status(404)), .fetched])
    }

    @Test("five thousand immediate responses need no more stack than one")
    func many() {
        // Without a log, because counting in it would take long.
        let fetching = Fetching(
            .plain, slots: Slots(limit: 8, perHost: 4), directory: nil, on: QueueScheduler(),
            transport: { _ in .answer() })
        let updates = fetching.fetchAll(targets((0..<5000).map { "http://h/\($0)" }))
            .filter(\.update.isEnd).map { _ in 1 }.collected()
        #expect(updates.all.count == 5000)
    }
}
