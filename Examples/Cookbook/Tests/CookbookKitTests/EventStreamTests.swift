import CookbookKit
import Hummingbird
import HummingbirdCore
import NIOCore
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Suite("An event stream", .patient)
struct EventStreamTests {
    private func frame(_ text: String) -> ByteBuffer { ServerSentEvent(data: text).frame }

    @Test("sends every client the current value and each change")
    func fanOut() async throws {
        let status = MutableProperty("starting")
        let stream = EventStream(status.map { frame($0) }, on: TestScheduler())
        try await TestServer.run(routes: { $0.get("/events") { request, _ in stream.response(to: request) } }) {
            server in
            try await EventClient.connect(to: server.port, path: "/events") { first in
                #expect(first.contentType == "text/event-stream")
                try await first.expect("data: starting")
                try await EventClient.connect(to: server.port, path: "/events") { second in
                    try await second.expect("data: starting")
                    status.value = "ready"
                    try await first.expect("data: ready")
                    try await second.expect("data: ready")
                }
            }
        }
    }

    @Test("disposes of the observation when the client disconnects")
    func disconnect() async throws {
        let isObserved = MutableProperty(true)
        let (frames, input) = Signal<ByteBuffer, Never>.pipe()
        let source = SignalProducer(frames).on(disposed: { isObserved.value = false })
        let stream = EventStream(source, on: TestScheduler())
        try await TestServer.run(routes: { $0.get("/events") { request, _ in stream.response(to: request) } }) {
            server in
            try await EventClient.connect(to: server.port, path: "/events") { client in
                _ = await stream.clients.next(where: { $0 == 1 })
                input.sendNext(frame("hello"))
                try await client.expect("data: hello")
                #expect(isObserved.value)
            }
            #expect(await isObserved.next(where: { !$0 }) == false)
        }
    }

    @Test("sends a comment in each interval")
    func keepAlive() async throws {
        let scheduler = TestScheduler()
        let stream = EventStream(Signal<ByteBuffer, Never>.never, keepAlive: .seconds(15), on: scheduler)
        try await TestServer.run(routes: { $0.get("/events") { request, _ in stream.response(to: request) } }) {
            server in
            try await EventClient.connect(to: server.port, path: "/events") { client in
                _ = await stream.clients.next(where: { $0 == 1 })
                await scheduler.advance(by: .seconds(15))
                try await client.expect(": keep-alive")
            }
        }
    }

    @Test("ends when the server shuts down")
    func shutdown() async throws {
        let stream = EventStream(MutableProperty(frame("hello")), on: TestScheduler())
        try await TestServer.run(routes: { $0.get("/events") { request, _ in stream.response(to: request) } }) {
            server in
            try await EventClient.connect(to: server.port, path: "/events") { client in
                try await client.expect("data: hello")
                await server.shutDown()
                try await client.expect(nil)
            }
        }
    }

    @Test("ends with its source, although the keep-alive timer does not end")
    func end() async throws {
        let scheduler = TestScheduler()
        try await scheduler.run {
            let stream = EventStream(SignalProducer([frame("one"), frame("two")]), on: scheduler)
            let body = TestWriter()
            var writer: any ResponseBodyWriter = body
            let (connection, end) = Lifetime.make()
            try await stream.send(to: &writer, during: connection)
            #expect(body.written.value == "data: one\n\ndata: two\n\n")
            withExtendedLifetime(end) {}
        }
    }

    @Test("releases its source and its timer with the connection")
    func release() async throws {
        let scheduler = TestScheduler()
        try await scheduler.run {
            let probe = StreamProbe()
            let stream = EventStream(SignalProducer<ByteBuffer, Never>.never.probed(by: probe), on: scheduler)
            let (connection, end) = Lifetime.make()
            async let sending: Void = {
                var writer: any ResponseBodyWriter = TestWriter()
                try await stream.send(to: &writer, during: connection)
            }()
            await scheduler.advance()
            #expect(probe.live == 1)
            end.dispose()
            #expect(probe.live == 0)
            try await sending
            // Returns only if nothing repeats.
            await scheduler.run()
        }
    }

    @Test("ends for a client that is behind by more than its buffer")
    func slowClient() async throws {
        let scheduler = TestScheduler()
        try await scheduler.run {
            let (frames, input) = Signal<ByteBuffer, Never>.pipe()
            let stream = EventStream(frames, capacity: 2, on: scheduler)
            let body = TestWriter(delay: .seconds(10), clock: scheduler)
            let (connection, end) = Lifetime.make()
            async let sending: Void = {
                var writer: any ResponseBodyWriter = body
                try await stream.send(to: &writer, during: connection)
            }()
            await scheduler.advance()
            input.sendNext(frame("1"))
            await scheduler.advance()
            // The first is being written for ten seconds. Two find room, and the fourth does not.
            for number in 2...4 { input.sendNext(frame("\(number)")) }
            await scheduler.advance(by: .seconds(10))
            #expect(body.written.value == "data: 1\n\n")
            #expect(stream.clients.value == 0)
            // So that a stream that did not end fails the test, instead of making it wait.
            end.dispose()
            try await sending
        }
    }

    @Test("a stop waits for the write in progress, and not for what is buffered")
    func stop() async throws {
        let scheduler = TestScheduler()
        try await scheduler.run {
            let (frames, input) = Signal<ByteBuffer, Never>.pipe()
            let stream = EventStream(frames, capacity: 8, on: scheduler)
            let body = TestWriter(delay: .seconds(10), clock: scheduler)
            let (connection, end) = Lifetime.make()
            async let sending: Void = {
                var writer: any ResponseBodyWriter = body
                try await stream.send(to: &writer, during: connection)
            }()
            await scheduler.advance()
            for number in 1...3 { input.sendNext(frame("\(number)")) }
            await scheduler.advance(by: .seconds(1))
            end.dispose()
            await scheduler.advance(by: .seconds(9))
            #expect(body.written.value == "data: 1\n\n")
            #expect(stream.clients.value == 0)
            // So that a stream that did not end fails the test.
            await scheduler.run()
            try await sending
        }
    }
}
