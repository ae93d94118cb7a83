import Foundation
import FoundationNetworking
import ReactiveSignals
import ReactiveSignalsFoundation
import Synchronization
import TestSupport
import Testing

/// A session, and a server. Both are closed when this object is released.
private final class Web: Sendable {
    let session: URLSession
    let server: LoopbackServer

    init(cache: URLCache? = nil, _ serve: @escaping @Sendable (LoopbackServer.Connection, _ path: String) -> Void) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = cache
        configuration.httpMaximumConnectionsPerHost = 8
        session = URLSession(configuration: configuration)
        server = LoopbackServer { connection in
            while let path = connection.receive() { serve(connection, path) }
        }
    }

    deinit {
        // Not `invalidateAndCancel`: the Foundation of Linux can end the process if that meets the end of a request,
        // and some tests leave requests behind. They end with the server.
        session.finishTasksAndInvalidate()
        server.stop()
    }

    func data(_ path: String = "/") -> SignalProducer<(Data, URLResponse), URLError> {
        session.data(for: URLRequest(url: server.url(path)))
    }

    /// The status and the body of a response.
    func page(_ path: String = "/") -> SignalProducer<String, URLError> {
        data(path).map { data, response in
            "\((response as? HTTPURLResponse)?.statusCode ?? 0) \(String(decoding: data, as: UTF8.self))"
        }
    }
}

/// A cache that answers no question before ``answer()`` is called.
private final class SlowCache: URLCache, @unchecked Sendable {
    // Sendable: the only state is in a lock.
    private let questions = Mutex<[@Sendable () -> Void]?>([])

    init() { super.init(memoryCapacity: 0, diskCapacity: 0, diskPath: nil) }

    override func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping (CachedURLResponse?) -> Void
    ) {
        nonisolated(unsafe) let completionHandler = completionHandler
        let isWaiting = questions.withLock { questions in
            questions?.append { completionHandler(nil) }
            return questions != nil
        }
        if !isWaiting { completionHandler(nil) }
    }

    /// Answers all questions so far, each on a thread like Foundation's, and those that come later at once.
    ///
    /// - Parameter next: Called between two answers.
    func answer(next: () async -> Void) async {
        let questions = questions.withLock { questions in
            defer { questions = nil }
            return questions ?? []
        }
        for question in questions {
            DispatchQueue.global(qos: .background).async(execute: question)
            await next()
        }
    }
}

private enum Caller {
    @TaskLocal static var name = "none"
}

@Suite("data(for:)", .watched, .offThePool)
struct DataForRequestTests {
    @Test("performs the request at each start, and sends the body and the response")
    func success() async {
        let requests = Counter()
        let web = Web { connection, path in connection.respond("\(requests.increment()) \(path)") }
        let page = web.page("/a")
        expect(requests.value, is: 0)
        expect(await page.recorded().recording.ended().texts, is: ["200 1 /a", "completed"])
        expect(await page.recorded().recording.ended().texts, is: ["200 2 /a", "completed"])
        expect(page.name, is: "[data(for:)] -map:")
    }

    @Test("sends events without the task-locals of the start")
    func taskLocals() async {
        let web = Web { connection, _ in connection.respond("") }
        let log = Log<String>()
        Caller.$name.withValue("caller") { _ = web.page().start { _ in log.append(Caller.name) } }
        #expect(await eventually { log.count == 2 })
        expect(log.all, is: ["none", "none"])
    }

    @Test("sends any HTTP status as a value", arguments: ["404 Not Found", "500 Internal Server Error"])
    func statuses(status: String) async {
        let web = Web { connection, _ in connection.respond("sorry", status: status) }
        expect(await web.page().recorded().recording.ended().texts, is: ["\(status.prefix(3)) sorry", "completed"])
    }

    @Test("sends an empty body as empty data")
    func emptyBody() async {
        let web = Web { connection, _ in connection.send("HTTP/1.1 204 No Content\r\n\r\n") }
        expect(await web.page().recorded().recording.ended().texts, is: ["204 ", "completed"])
    }

    @Test("waits for a body that arrives slowly, and sends it as a whole")
    func slowBody() async {
        let parts = (0..<5).map { _ in Latch("the next part of the body") }
        let web = Web { connection, _ in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            for (index, part) in parts.enumerated() {
                part.wait()
                connection.send("\(index)\(index)")
            }
        }
        let (recording, _) = web.page().recorded()
        for part in parts {
            #expect(recording.events.all.isEmpty)
            part.open()
        }
        expect(await recording.ended().texts, is: ["200 0011223344", "completed"])
    }

    @Test("fails with a URLError if the connection is refused")
    func refused() async {
        let web = Web { _, _ in }
        let request = URLRequest(url: LoopbackServer.url(LoopbackServer.unusedPort()))
        let recording = await web.session.data(for: request).recorded().recording.ended()
        expect(recording.error?.code, is: .cannotConnectToHost)
        expect(recording.events.count, is: 1)
    }

    @Test(
        "fails with a URLError if the connection is lost",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1"])
    func lost(start: String) async {
        let session = URLSession(configuration: .ephemeral)
        let server = LoopbackServer { connection in
            _ = connection.receive()
            connection.send(start)
        }
        let recording = await session.data(for: URLRequest(url: server.url())).recorded().recording.ended()
        #expect(recording.error != nil, "\(recording.texts)")
        expect(recording.events.count, is: 1)
        session.invalidateAndCancel()
        server.stop()
    }

    @Test("fails with a URLError for a scheme that the session does not know")
    func unknownScheme() async throws {
        let web = Web { _, _ in }
        let url = try #require(URL(string: "nowhere://host"))
        let recording = await web.session.data(for: URLRequest(url: url)).recorded().recording.ended()
        expect(recording.error?.code, is: .unsupportedURL)
    }

    @Test("fails with a URLError when the request times out")
    func timeout() async {
        let web = Web { connection, _ in connection.waitForClose() }
        var request = URLRequest(url: web.server.url())
        request.timeoutInterval = 1
        let recording = await web.session.data(for: request).recorded().recording.ended()
        expect(recording.error?.code, is: .timedOut)
    }

    @Test("fails as cancelled when the session is invalidated")
    func invalidation() async {
        let received = OnceFlag()
        let web = Web { connection, _ in
            received.raise()
            connection.waitForClose()
        }
        let (recording, _) = web.page().recorded()
        #expect(await eventually { received.isRaised })
        web.session.invalidateAndCancel()
        expect(await recording.ended().error?.code, is: .cancelled)
    }

    @Test(
        "cancels the request on disposal: before the response, and in the middle of the body", arguments: [false, true])
    func disposal(isInBody: Bool) async {
        let begun = OnceFlag()
        let closed = OnceFlag()
        let web = Web { connection, _ in
            if isInBody { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nbeginning") }
            begun.raise()
            connection.waitForClose()
            closed.raise()
        }
        let (recording, disposable) = web.page().recorded()
        #expect(await eventually { begun.isRaised })
        disposable.dispose()
        expect(recording.texts, is: ["interrupted"])
        #expect(await eventually { closed.isRaised })
        expect(recording.texts, is: ["interrupted"])
    }

    @Test("cancels the request of a session with a cache, too: in the body at once, and before it later")
    func disposalWithCache() async {
        let begun = Counter()
        let closed = Counter()
        let web = Web(cache: URLSessionConfiguration.ephemeral.urlCache) { connection, path in
            if path == "/body" { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nbeginning") }
            begun.increment()
            connection.waitForClose()
            closed.increment()
        }
        for path in ["/body", "/"] {
            let (recording, disposable) = web.page(path).recorded()
            #expect(await eventually { begun.value == (path == "/" ? 2 : 1) })
            disposable.dispose()
            expect(recording.texts, is: ["interrupted"])
            #expect(await eventually { closed.value == (path == "/" ? 2 : 1) })
        }
        // These are disposed of while the cache is searched, which must not end the process.
        let answering = Web(cache: URLSessionConfiguration.ephemeral.urlCache) { connection, path in
            connection.respond(path)
        }
        for index in 0..<raceRounds {
            let (recording, disposable) = answering.page("/\(index)").recorded()
            if !index.isMultiple(of: 3) { disposable.dispose() }
            await recording.ended()
        }
    }

    @Test("does not cancel before the search of the cache ends, however long it takes")
    func disposalBeforeSearch() async {
        let cache = SlowCache()
        let web = Web(cache: cache) { connection, path in connection.respond(path) }
        let starts = (0..<100).map { web.page("/\($0)").recorded() }
        for start in starts { start.disposable.dispose() }
        // Longer than a cancellation that only waits for a time would wait.
        let later = OnceFlag()
        // check-waits: only a cancellation in the meantime fails this test, so a busy machine does not.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1_500)) { later.raise() }
        #expect(await eventually { later.isRaised })
        await cache.answer {
            expect(await web.page("/other").recorded().recording.ended().texts, is: ["200 /other", "completed"])
        }
        for start in starts { expect(start.recording.texts, is: ["interrupted"]) }
    }

    @Test("performs no request if the start has been disposed of")
    func disposedBefore() async {
        let requests = Counter()
        let web = Web { connection, _ in
            requests.increment()
            connection.respond("")
        }
        let log = Log<String>()
        web.page().take(first: 0).start { log.append($0.text) }
        SignalProducer<Int, URLError>(value: 1).concat(web.page().map { _ in 2 }).take(first: 1)
            .start { log.append($0.text) }
        expect(log.all, is: ["completed", "1", "completed"])
        expect(await web.page().recorded().recording.ended().texts, is: ["200 ", "completed"])
        expect(requests.value, is: 1)
    }

    @Test("sends either the result or the interruption when disposal and response race")
    func disposalRace() async {
        let web = Web { connection, _ in connection.respond("x") }
        var outcomes: [String: Int] = [:]
        for round in 0..<raceRounds {
            let (recording, disposable) = web.page().recorded()
            for _ in 0..<(round % 50) * 40 { _ = recording.hasEnded }
            disposable.dispose()
            let texts = await recording.ended().texts
            #expect([["interrupted"], ["200 x", "completed"], ["200 x", "interrupted"]].contains(texts), "\(texts)")
            outcomes[texts.joined(separator: " "), default: 0] += 1
        }
        #expect(outcomes["interrupted", default: 0] > 0, "\(outcomes)")
    }

    @Test("serves many starts at the same time, each with its own response")
    func crowd() async {
        let web = Web { connection, path in connection.respond(path) }
        let count = 200
        let logs = (0..<count).map { _ in Log<String>() }
        onThreads(4, "many requests") { thread in
            for index in stride(from: thread, to: count, by: 4) {
                web.page("/\(index)").start { logs[index].append($0.text) }
            }
        }
        for index in 0..<count {
            #expect(await eventually { logs[index].count == 2 })
            expect(logs[index].all, is: ["200 /\(index)", "completed"])
        }
    }

    @Test("releases the observer after the end and after disposal")
    func release() async {
        let population = Population()
        let web = Web { connection, path in
            if path == "/hang" { connection.waitForClose() } else { connection.respond("") }
        }
        for path in ["/", "/hang"] {
            let log = Log<String>()
            let member = population.member()
            let disposable = web.page(path).start { event in
                member.touch()
                log.append(event.text)
            }
            if path == "/hang" { disposable.dispose() }
            #expect(await eventually { log.count > 0 })
        }
        #expect(await eventually { population.alive == 0 })
    }

    @Test("leaves no descriptor behind, whether starts end or are disposed of")
    func descriptors() async {
        let before = allDescriptors
        do {
            let web = Web { connection, path in connection.respond(path) }
            let count = raceRounds * 4
            for index in 0..<count {
                let (recording, disposable) = web.page().recorded()
                if index.isMultiple(of: 2) { disposable.dispose() }
                await recording.ended()
            }
        }
        // Other tests have some open, but not one for every start.
        #expect(await eventually { allDescriptors < before + raceRounds }, "\(before) before, \(allDescriptors) after")
    }

    // MARK: Overloads. It is a test that this compiles.

    @Test("is called without await, and Foundation's method with await")
    func overloads() async throws {
        let web = Web { connection, _ in connection.respond("x") }
        let request = URLRequest(url: web.server.url())
        func synchronous() -> SignalProducer<Data, URLError> {
            let page = web.session.data(for: request)
            return page.map { $0.0 }
        }
        let (data, response) = try await web.session.data(for: request)
        expect(data, is: Data("x".utf8))
        #expect(response is HTTPURLResponse)
        let first = try await web.session.data(for: request).map { $0.0 }.first()
        expect(first, is: data)
        let stated: SignalProducer<(Data, URLResponse), URLError> = web.session.data(for: request)
        let second = try await stated.first()?.0
        expect(second, is: data)
        let flattened = try await SignalProducer<Int, URLError>(value: 1)
            .flatMap(.merge) { _ in web.session.data(for: request) }.first()?.0
        expect(flattened, is: data)
        let third = try await synchronous().first()
        expect(third, is: data)
    }
}
