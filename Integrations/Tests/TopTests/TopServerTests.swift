import Foundation
import IntegrationsTestSupport
import ReactiveDiagnostics
import ReactiveSignals
import ReactiveSignalsFoundation
import ReactiveSignalsTop
import Testing
import TopProtocol
import TopViewer

@Suite("TopServer and its viewers", .serialized)
struct TopServerTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("top.socket") }

    init() throws { directory = try TemporaryDirectory() }

    /// Sends snapshots until one has the node.
    private func node(
        _ name: String, _ client: TopClient, where condition: (StreamGraph.Node) -> Bool = { _ in true }
    ) async throws -> StreamGraph.Node {
        while true {
            let picture = try await client.snapshot()
            if let node = picture.nodes.first(where: { $0.name == name && condition($0) }) { return node }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func events(_ client: TopClient, _ count: Int) async throws -> [TopProtocol.Events.Item] {
        var items: [TopProtocol.Events.Item] = []
        while items.count < count { items += try await client.next().events?.items ?? [] }
        return items
    }

    @Test("shows the streams of the process, and how often properties are set")
    func snapshots() async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        #expect(StreamGraph.isRecording && mode(of: path) == 0o600)
        let orders = MutableProperty(-1).named("top-orders")
        orders.signal.observeNext { _ in }
        let client = try await TopClient(path: path)
        #expect(client.greeting.process == getpid() && !client.greeting.hasValues)
        var model = TopModel(client.greeting)
        model.receive(try await client.snapshot())
        for number in 0..<50 { orders.value = number }
        model.receive(try await client.snapshot())
        let row = try #require(TopState(filter: "top-orders").rows(model).first)
        #expect(
            row.changes == 50 && (row.rate ?? 0) > 0 && row.observers == 1 && row.file?.contains("TopServer") == true)
        client.close()
    }

    @Test("two viewers at the same time each receive what they have asked for")
    func viewers() async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let (first, second) = (try await TopClient(path: path), try await TopClient(path: path))
        for _ in 0..<5 {
            async let one = first.snapshot()
            async let two = second.snapshot()
            #expect(try await one.total >= 0)
            #expect(try await two.total >= 0)
        }
        first.close()
        #expect(try await second.snapshot().time > 0)
        second.close()
    }

    @Test("follows a stream: kinds and times, no values, until the viewer wants no more")
    func follows() async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let (secrets, input) = Signal<String, Never>.pipe()
        secrets.named("top-secrets").observeNext { _ in }
        let client = try await TopClient(path: path)
        let id = try await node("top-secrets", client).id
        client.send(TopProtocol.Request(.follow, node: id))
        #expect(try await client.next().following == id)
        input.sendNext("password")
        input.sendNext("password")
        let items = try await events(client, 2)
        #expect(items.map(\.kind) == [.next, .next] && items.allSatisfy { $0.text == nil && $0.time > 0 })
        client.send(TopProtocol.Request(.unfollow))
        #expect(try await client.next() == TopProtocol.Reply())
        #expect(try await node("top-secrets", client).observers == 1)
        client.send(TopProtocol.Request(.follow, node: .max))
        #expect(try await client.next().problem?.kind == .stream)
        // The connection goes on, and a viewer that disconnects follows no longer.
        client.send(TopProtocol.Request(.follow, node: id))
        #expect(try await client.next().following == id)
        client.close()
        let other = try await TopClient(path: path)
        _ = try await node("top-secrets", other) { $0.observers == 1 }
        other.close()
        input.sendCompleted()
    }

    @Test("shows values if the server was opened so, cut and with the end of the stream")
    func values() async throws {
        let server = try TopServer.open(path: path, values: .described(limit: 4))
        defer { server.close() }
        let (texts, input) = Signal<String, Never>.pipe()
        texts.named("top-texts")
        let client = try await TopClient(path: path)
        #expect(client.greeting.hasValues)
        client.send(TopProtocol.Request(.follow, node: try await node("top-texts", client).id))
        _ = try await client.next()
        input.sendNext("abcdefgh")
        input.sendCompleted()
        let items = try await events(client, 2)
        #expect(items.map(\.kind) == [.next, .completed] && items[0].text == "abcd")
        client.close()
        withExtendedLifetime(texts) {}
    }

    @Test("a viewer begins and ends a recording of the streams that the program records, which a test can replay")
    func records() async throws {
        let recorder = EventRecorder()
        let (orders, input) = Signal<String, Never>.pipe()
        orders.named("top-recorded").recordEvents(to: recorder).observeNext { _ in }
        let server = try TopServer.open(
            path: path, recordings: .init(by: recorder, in: directory.path, upTo: .events(100)))
        defer { server.close() }
        input.sendNext("before")
        let (one, other) = (try await TopClient(path: path), try await TopClient(path: path))
        #expect(one.greeting.canRecord == true)
        await #expect(throws: TopClientError.problem("nothing has been recorded")) {
            _ = try await one.record(.stopRecording)
        }
        let begun = try await one.record()
        #expect(begun.ending == nil && begun.events == 0 && begun.file.hasPrefix(directory.path))
        input.sendNext("tea")
        input.sendNext("salt")
        // The other viewer learns of it, and begins no second one.
        let seen = try await other.record()
        #expect(seen.file == begun.file && seen.events == 2 && seen.ending == nil)
        let ended = try await other.record(.stopRecording)
        #expect(ended.file == begun.file && ended.events == 2 && ended.ending == "ended")
        #expect("\(ended)" == "recorded \(ended.file): 2 events, \(ended.bytes) bytes, ended")
        input.sendNext("after")
        let replay = SignalProducer.replaying(contentsOf: URL(filePath: ended.file), as: String.self)
        #expect(try await replay.take(first: 2).collectAll() == ["tea", "salt"])
        // The next one is another file, and ends by itself.
        let next = try await one.record()
        #expect(next.file != begun.file)
        for number in 0..<200 { input.sendNext("\(number)") }
        #expect(try await one.record(.stopRecording).ending == "full")
        one.close()
        other.close()
    }

    @Test("a server without recordings, or whose folder is gone, says so")
    func recordsNothing() async throws {
        let plain = try TopServer.open(path: path)
        let client = try await TopClient(path: path)
        #expect(client.greeting.canRecord == false)
        await #expect(throws: TopClientError.problem(TopClient.cannotRecord)) { _ = try await client.record() }
        client.send(TopProtocol.Request(.record))
        #expect(try await client.next().problem?.kind == .recording)
        client.close()
        plain.close()
        let other = directory.file("other.socket")
        let server = try TopServer.open(
            path: other, recordings: .init(by: EventRecorder(), in: directory.file("gone")))
        defer { server.close() }
        let viewer = try await TopClient(path: other)
        viewer.send(TopProtocol.Request(.record))
        let problem = try #require(try await viewer.next().problem)
        #expect(problem.kind == .recording && problem.text.hasPrefix("cannot write \(directory.file("gone"))/"))
        // The connection goes on.
        #expect(try await viewer.snapshot().time > 0)
        viewer.close()
    }

    @Test("a viewer that stops reading slows nothing, and costs a bounded amount of memory")
    func stalled() async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let (ticks, input) = Signal<Int, Never>.pipe()
        ticks.named("top-ticks")
        let client = try await TopClient(path: path)
        let id = try await node("top-ticks", client).id
        let stalled = try RawViewer(path: path)
        stalled.send("{\"version\":1,\"command\":\"follow\",\"node\":\(id)}\n")
        _ = try await node("top-ticks", client) { $0.observers == 1 }
        for _ in 0..<15 { stalled.send("{\"version\":1,\"command\":\"snapshot\"}\n") }
        // Nothing reads what this makes. It returns, and another viewer is still answered.
        for number in 0..<200_000 { input.sendNext(number) }
        #expect(try await client.snapshot().time > 0)
        #expect(try await node("top-ticks", client).observers == 1)
        // What was not sent is counted.
        var sent = 0
        var dropped = 0
        input.sendCompleted()
        while sent + dropped < 200_001, let line = stalled.line() {
            guard let reply = try? TopProtocol.decode(TopProtocol.Reply.self, from: Data(line.utf8)) else { continue }
            sent += reply.events?.items.count ?? 0
            dropped += reply.events?.dropped ?? 0
        }
        #expect(sent + dropped == 200_001 && dropped > 100_000)
        client.close()
        withExtendedLifetime(ticks) {}
    }

    @Test("too many requests at once close the connection, with the reason")
    func requests() async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let viewer = try RawViewer(path: path)
        viewer.send(String(repeating: "{\"version\":1,\"command\":\"snapshot\"}\n", count: 100))
        var last = ""
        while let line = viewer.line() { last = line }
        #expect(last.contains("\"kind\":\"busy\""))
    }

    @Test(
        "what is no request of this version gets an answer, and the connection is closed",
        arguments: [
            ("{\"version\":2,\"command\":\"dance\"}\n", "\"kind\":\"version\""),
            ("{\"version\":1,\"command\":\"dance\"}\n", "\"kind\":\"request\""), ("hello\n", "\"kind\":\"request\""),
            (String(repeating: "x", count: 100_000), "\"kind\":\"request\""), ("\n", "\"kind\":\"request\""),
        ])
    func protocols(line: String, answer: String) async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let viewer = try RawViewer(path: path)
        #expect(viewer.line()?.contains("\"name\":\"signals-top\"") == true)
        viewer.send(line)
        #expect(viewer.line()?.contains(answer) == true)
        #expect(viewer.line() == nil)
        #expect(try await TopClient(path: path).snapshot().time > 0)
    }

    @Test("one viewer too many is told so")
    func crowd() async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let viewers = try (0..<16).map { _ in try RawViewer(path: path) }
        for viewer in viewers { #expect(viewer.line() != nil) }
        let late = try RawViewer(path: path)
        #expect(late.line() != nil && late.line()?.contains("there are 16 viewers already") == true)
        #expect(late.line() == nil)
    }

    @Test("answers with 100,000 starts alive")
    func manyStarts() async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let starts = (0..<100_000).map { _ in SignalProducer<Int, Never>.never.named("top-leak").start() }
        let client = try await TopClient(path: path)
        var model = TopModel(client.greeting)
        model.receive(try await client.snapshot())
        let group = TopState(sort: .count, filter: "top-leak", isGrouped: true).groups(model).first
        #expect((group?.count ?? 0) > 90_000 && (model.picture?.total ?? 0) >= 100_000)
        for start in starts { start.dispose() }
        client.close()
    }

    @Test("a server that closes or ends is a lost connection, and leaves no socket")
    func closes() async throws {
        let server = try TopServer.open(path: path)
        let client = try await TopClient(path: path)
        server.close()
        server.close()
        await #expect(throws: TopClientError.lost) { try await client.snapshot() }
        #expect(!FileManager.default.fileExists(atPath: path))
        await #expect(throws: TopClientError.noServer(path: path)) { try await TopClient(path: path) }
    }
}
