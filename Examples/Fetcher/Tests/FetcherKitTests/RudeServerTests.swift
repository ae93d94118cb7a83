import FetcherKit
import NIOConcurrencyHelpers
import NIOCore
import Testing

@Suite("Fetching from a server that is slow, unreliable or hostile")
struct RudeServerTests {
    @Test("keeps the responses of a correct server")
    func good() async throws {
        let directory = try TemporaryDirectory()
        try await RudeServer.with { path, _ in
            [.answer("200 OK", "this is \(path)")]
        } _: { server in
            let targets = targets(server.url("/a"), server.url("/b/"))
            let ledger = try await fetch(targets, into: directory)
            #expect(ledger.isComplete)
            #expect(ledger.bytes == "this is /a".utf8.count + "this is /b/".utf8.count)
            #expect(try directory.text(targets[0].fileName) == "this is /a")
            #expect(try directory.text(targets[1].fileName) == "this is /b/")
            #expect(directory.names.count == 2)
        }
    }

    @Test("retries temporary failures, and gives up on permanent ones")
    func flaky() async throws {
        try await RudeServer.with { path, number in
            switch path {
            case "/busy": [number < 3 ? .answer("503 Service Unavailable", "later") : .answer("200 OK", "now")]
            case "/down": [.answer("500 Internal Server Error")]
            default: [.answer("404 Not Found", "no")]
            }
        } _: { server in
            let ledger = try await fetch(
                targets(server.url("/busy"), server.url("/down"), server.url("/none")), .quick.with { $0.retries = 2 })
            #expect(ledger.stages == [.fetched, .failed(.status(500)), .failed(.status(404))])
            #expect(ledger.transfers.map(\.attempts) == [3, 3, 1])
            #expect(server.counts.requests == ["/busy": 3, "/down": 3, "/none": 1])
        }
    }

    @Test(
        "an incomplete response fails, and leaves no file",
        arguments: [
            Manner("reset in the body", .head(length: 100), .send("half"), .reset),
            Manner("closed in the body", .head(length: 100), .send("half"), .close),
            Manner("reset between chunks", .chunkedHead, .send("4\r\nhalf\r\n"), .reset),
            Manner("closed between chunks", .chunkedHead, .send("4\r\nhalf\r\n"), .close),
            Manner("reset in the head", .send("HTTP/1.1 200 OK\r\nContent-Le"), .reset),
            Manner("closed without a word", .close),
            Manner("reset without a word", .reset),
        ])
    func brokenOff(_ manner: Manner) async throws {
        let directory = try TemporaryDirectory()
        try await RudeServer.with { _, _ in
            manner.steps
        } _: { server in
            let ledger = try await fetch(targets(server.url("/x")), .quick.with { $0.retries = 1 }, into: directory)
            guard case .failed(let error) = ledger.stages[0] else {
                Issue.record("\(ledger.stages[0])")
                return
            }
            #expect(error.isTransient)
            #expect(ledger.transfers[0].attempts == 2)
            #expect(try await eventually { directory.names == [] })
        }
    }

    @Test("a retry completes an interrupted response")
    func brokenOffOnce() async throws {
        let directory = try TemporaryDirectory()
        try await RudeServer.with { _, number in
            number == 1 ? [.head(length: 100), .send("half"), .reset] : [.answer("200 OK", "whole")]
        } _: { server in
            let targets = targets(server.url("/x"))
            let ledger = try await fetch(targets, into: directory)
            #expect(ledger.isComplete)
            #expect(directory.names == [targets[0].fileName])
            #expect(try directory.text(targets[0].fileName) == "whole")
        }
    }

    @Test("ignores bytes after the announced length, and the next request works")
    func tooLong() async throws {
        let directory = try TemporaryDirectory()
        try await RudeServer.with { path, _ in
            path == "/long"
                ? [.head(length: 4), .send("rightwrong"), .pause(.milliseconds(20))] : [.answer("200 OK", "fine")]
        } _: { server in
            let targets = targets(server.url("/long"), server.url("/next"))
            let ledger = try await fetch(targets, .quick.with { $0.concurrency = 1 }, into: directory)
            #expect(ledger.isComplete)
            #expect(try directory.text(targets[0].fileName) == "righ")
            #expect(try directory.text(targets[1].fileName) == "fine")
        }
    }

    @Test(
        "a response that is not HTTP fails",
        arguments: [
            Manner("another protocol", .send("hello there, this is no HTTP\r\n\r\n"), .hang),
            Manner("no status", .send("HTTP/1.1 abc OK\r\n\r\n"), .hang),
            Manner("bytes", .send("\u{0}\u{1}\u{2}\u{3}\r\n\r\n"), .hang),
            Manner("no length", .send("HTTP/1.1 200 OK\r\nContent-Length: minus four\r\n\r\nbody"), .hang),
            Manner("no chunk", .chunkedHead, .send("not a number\r\n"), .hang),
        ])
    func garbage(_ manner: Manner) async throws {
        let directory = try TemporaryDirectory()
        try await RudeServer.with { _, _ in
            manner.steps
        } _: { server in
            let ledger = try await fetch(targets(server.url("/x")), .quick.with { $0.retries = 0 }, into: directory)
            guard case .failed(.garbage) = ledger.stages[0] else {
                Issue.record("\(ledger.stages[0])")
                return
            }
            #expect(try await eventually { directory.names == [] })
        }
    }

    @Test(
        "does not wait for a silent server, whatever it has sent before",
        arguments: [
            Manner("no answer", .hang),
            Manner("half a head", .send("HTTP/1.1 200 OK\r\n"), .hang),
            Manner("half a body", .head(length: 100), .send("half"), .hang),
            Manner("a slow head", .send("HTTP/1.1 200 OK\r\n"), .drip("X-Slow: yes\r\n", .milliseconds(10))),
        ])
    func silence(_ manner: Manner) async throws {
        let directory = try TemporaryDirectory()
        try await RudeServer.with { _, _ in
            manner.steps
        } _: { server in
            let settings = FetchSettings.quick.with {
                $0.timeout = .milliseconds(150)
                $0.retries = 1
            }
            let ledger = try await fetch(targets(server.url("/x")), settings, into: directory)
            #expect(ledger.stages == [.failed(.timedOut(.milliseconds(150)))])
            #expect(ledger.transfers[0].attempts == 2)
            #expect(try await eventually { directory.names == [] })
        }
    }

    @Test(
        "an endless body ends with the total timeout, and is not retried",
        arguments: [
            Manner("a slow body", .head(length: 1_000_000), .drip(".", .milliseconds(10))),
            Manner("chunks without end", .chunkedHead, .flood(ByteBuffer(string: "4\r\nmore\r\n"), times: nil)),
            Manner(
                "bytes without end", .send("HTTP/1.1 200 OK\r\n\r\n"),
                .flood(ByteBuffer(repeating: 0x2E, count: 1000), times: nil)),
        ])
    func endless(_ manner: Manner) async throws {
        let directory = try TemporaryDirectory()
        try await RudeServer.with { _, _ in
            manner.steps
        } _: { server in
            let settings = FetchSettings.quick.with { $0.overallTimeout = .milliseconds(300) }
            let ledger = try await fetch(targets(server.url("/x")), settings, into: directory)
            #expect(ledger.stages == [.failed(.outOfTime(.milliseconds(300)))])
            #expect(ledger.transfers[0].attempts == 1)
            #expect(try await eventually { directory.names == [] })
        }
    }

    @Test("waits for the time of Retry-After", arguments: ["400", "Sun, 06 Nov 1994 08:56:17 GMT"])
    func retryAfter(_ value: String) async throws {
        try await RudeServer.with { _, _ in
            [
                .answer(
                    "503 Service Unavailable",
                    headers: ["Retry-After: \(value)", "Date: Sun, 06 Nov 1994 08:49:37 GMT"])
            ]
        } _: { server in
            // It asks for more time than is left, so there is no retry.
            let ledger = try await fetch(targets(server.url("/x")), .quick.with { $0.overallTimeout = .seconds(300) })
            #expect(ledger.stages == [.failed(.status(503, retryAfter: .seconds(400)))])
            #expect(server.counts.requests == ["/x": 1])
        }
    }

    @Test("the total timeout limits all attempts of a URL")
    func outOfTime() async throws {
        try await RudeServer.with { _, _ in
            [.answer("503 Service Unavailable")]
        } _: { server in
            let settings = FetchSettings.quick.with {
                $0.overallTimeout = .seconds(1)
                $0.retries = 1000
            }
            let ledger = try await fetch(targets(server.url("/x")), settings)
            #expect(ledger.stages == [.failed(.outOfTime(.seconds(1)))])
        }
    }

    @Test("follows redirects, relative ones and those to another host")
    func redirects() async throws {
        let directory = try TemporaryDirectory()
        let port = NIOLockedValueBox(0)
        try await RudeServer.with { path, _ in
            switch path {
            case "/a": [.answer("302 Found", "elsewhere", headers: ["Location: /b"])]
            case "/b": [.answer("301 Moved", headers: ["Location: http://localhost:\(port.withLockedValue { $0 })/c"])]
            default: [.answer("200 OK", "here")]
            }
        } _: { server in
            port.withLockedValue { $0 = server.port }
            let targets = targets(server.url("/a"))
            let ledger = try await fetch(targets, into: directory)
            #expect(ledger.isComplete)
            #expect(ledger.transfers[0].attempts == 1)
            // The name does not depend on the redirect.
            #expect(try directory.text(targets[0].fileName) == "here")
            #expect(server.counts.mostActiveByHost == ["127.0.0.1": 1, "localhost": 1])
        }
    }

    @Test("fails on redirect loops and on redirects to invalid URLs")
    func redirectLoops() async throws {
        try await RudeServer.with { path, _ in
            switch path {
            case "/loop": [.answer("302 Found", headers: ["Location: /loop"])]
            case "/file": [.answer("302 Found", headers: ["Location: file:///etc/passwd"])]
            default: [.answer("302 Found")]
            }
        } _: { server in
            let ledger = try await fetch(targets(server.url("/loop"), server.url("/file"), server.url("/nowhere")))
            #expect(
                ledger.stages == [
                    .failed(.redirect("more than 10 redirects")),
                    .failed(.redirect("\"file:///etc/passwd\" is not a URL that Fetcher accepts")),
                    .failed(.redirect("the response has no Location header")),
                ])
            #expect(server.counts.requests == ["/loop": 11, "/file": 1, "/nowhere": 1])
        }
    }

    @Test("a refused connection fails")
    func refused() async throws {
        // Nothing listens on a port that was just free.
        let server = try await RudeServer { _, _ in [] }
        let url = server.url("/")
        try await server.stop()
        let ledger = try await fetch(targets(url), .quick.with { $0.retries = 1 })
        #expect(ledger.stages == [.failed(.connection("Connection refused"))])
        #expect(ledger.transfers[0].attempts == 2)
    }

    @Test("never exceeds the limits of concurrent requests, in total and per host")
    func limits() async throws {
        // The first responses wait until the limits are reached.
        let (all, ofA, ofB) = (Latch(), Latch(), Latch())
        let requests = NIOLockedValueBox((a: 0, b: 0))
        try await RudeServer.with { path, _ in
            let isA = path.hasPrefix("/a")
            let (a, b) = requests.withLockedValue { requests in
                if isA { requests.a += 1 } else { requests.b += 1 }
                return requests
            }
            if a + b == 7 { all.open() }
            if a == 4 { ofA.open() }
            if b == 4 { ofB.open() }
            return [.await(all), .await(isA ? ofA : ofB), .pause(.milliseconds(10)), .answer("200 OK", "done")]
        } _: { server in
            let urls = (0..<60).flatMap { [server.url("/a/\($0)"), server.url("/b/\($0)", host: "localhost")] }
            let settings = FetchSettings.quick.with {
                $0.concurrency = 7
                $0.perHost = 4
            }
            let ledger = try await fetch(targets(urls), settings)
            #expect(ledger.isComplete)
            // It also reaches the limits.
            #expect(server.counts.mostActive == 7)
            #expect(server.counts.mostActiveByHost == ["127.0.0.1": 4, "localhost": 4])
        }
    }

    @Test("a host that does not respond does not delay the others")
    func slowHost() async throws {
        let others = Latch()
        let answered = NIOLockedValueBox(0)
        try await RudeServer.with { path, _ in
            // It responds only after the last request to the others.
            if path.hasPrefix("/slow") { return [.await(others), .answer("200 OK", "late")] }
            let count = answered.withLockedValue { answered in
                answered += 1
                return answered
            }
            if count == 10 { others.open() }
            return [.answer("200 OK", "done")]
        } _: { server in
            // The slow ones come first, and occupy all slots of their host.
            let urls =
                (0..<4).map { server.url("/slow?\($0)") } + (0..<10).map { server.url("/\($0)", host: "localhost") }
            let settings = FetchSettings.quick.with {
                $0.concurrency = 4
                $0.perHost = 2
                $0.retries = 0
            }
            let ledger = try await fetch(targets(urls), settings)
            #expect(ledger.isComplete)
        }
    }

    @Test("a file that cannot be written is not retried")
    func unwritable() async throws {
        let directory = try TemporaryDirectory()
        try await RudeServer.with { _, _ in
            [.answer("200 OK", "done")]
        } _: { server in
            let targets = targets(server.url("/x"))
            // A directory already has the name.
            try directory.makeDirectory(targets[0].fileName)
            let ledger = try await fetch(targets, into: directory)
            guard case .failed(.file) = ledger.stages[0] else {
                Issue.record("\(ledger.stages[0])")
                return
            }
            #expect(directory.names == [targets[0].fileName])
        }
    }
}
