import Dispatch
import GRDB
import HTTPTypes
import InMemoryLogging
import IngestKit
import Logging
import ReactiveSignals
import ServerKitTesting
import Testing

@Suite("The server", .patient)
struct HTTPTests {
    @Test("answers with the row of a measurement, which is then in the database")
    func saved() async throws {
        let rows = try await TestServer.run { server in
            let answer = try await server.post(#"{"sensor": "boiler", "value": 71.5, "at": 12}"#)
            #expect(answer.status == 201)
            #expect(answer.body == #"{"id":1}"#)
            #expect(try await server.send("GET", "/health").body == #"{"accepted":1,"saved":1,"status":"ok"}"#)
        }
        #expect(rows == [1: Reading(sensor: "boiler", value: 71.5, at: 12)])
    }

    @Test("saves many measurements at once, each in the row that was answered")
    func many() async throws {
        let count = 100
        let answers = MutableProperty<[String: Double]>([:])
        let rows = try await TestServer.run {
            $0.limits.rate = count
        } _: { server in
            try await withThrowingTaskGroup { group in
                for number in 0..<count {
                    group.addTask {
                        let answer = try await server.post(#"{"sensor": "s", "value": \#(number)}"#)
                        #expect(answer.status == 201)
                        answers.modify { $0[answer.body] = Double(number) }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(rows.count == count)
        for (row, measurement) in rows { #expect(answers.value[#"{"id":\#(row)}"#] == measurement.value) }
    }

    @Test(
        "says what is wrong with a request",
        arguments: [
            (#"{"sensor": "a""#, 400, "malformed"), (#"{"sensor": "a", "value": "warm"}"#, 400, "malformed"),
            (#"{"sensor": "a", "value": 1e999}"#, 400, "malformed"), ("", 400, "malformed"), ("[]", 400, "malformed"),
            (
                #"{"sensor": "", "value": 1}"#, 422,
                #"{"sensor":"must be a text of 1 to 100 bytes without control characters"}"#
            ),
            (#"{"sensor": "a"}"#, 422, #"{"value":"must be a number"}"#),
            (#"{"sensor": "a\ud800b", "value": 1}"#, 400, "malformed"),
            (#"{"sensor": "a\u0000b", "value": 1}"#, 422, "control characters"),
            ("{\"sensor\": \"a\u{0}b\", \"value\": 1}", 400, "malformed"),
            (String(repeating: " ", count: 4_097), 413, "4096 bytes"),
        ])
    func bad(_ body: String, _ status: Int, _ message: String) async throws {
        let rows = try await TestServer.run { server in
            let answer = try await server.post(body)
            #expect(answer.status == status)
            #expect(answer.body.contains(message))
        }
        #expect(rows.isEmpty)
    }

    @Test("refuses unknown paths and other methods")
    func paths() async throws {
        try await TestServer.run { server in
            let unknown = try await server.send("POST", "/measurement", "{}")
            #expect(unknown.status == 404)
            #expect(unknown.body.contains("Measurements go to /measurements."))
            #expect(try await server.send("GET", "/measurements").status == 405)
        }
    }

    @Test(
        "refuses bytes that are not text: 400", arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]])
    func bytes(_ bytes: [UInt8]) async throws {
        let body = Array(#"{"value": 1, "sensor": ""#.utf8) + bytes + Array(#""}"#.utf8)
        let rows = try await TestServer.run { server in
            let answer = try await onThread {
                let wire = try Wire(port: server.port)
                wire.send(
                    "POST /measurements HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body.count)\r\n\r\n")
                wire.send(body)
                return try Answer(wire)
            }
            #expect(answer?.status == 400)
        }
        #expect(rows.isEmpty)
    }

    @Test("refuses content types other than JSON, which pages of other sites can send: 415")
    func mediaTypes() async throws {
        let body = #"{"sensor": "a", "value": 1}"#
        let rows = try await TestServer.run { server in
            for type in [
                "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json", "application/*",
                "text/plain; application/json", "application/jsonx",
            ] {
                #expect(try await server.post(body, headers: ["content-type": type]).status == 415, "\(type)")
            }
            let none = try await onThread {
                try Answer.exchange(
                    [
                        "POST /measurements HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    ],
                    port: server.port)
            }
            #expect(none.map(\.status) == [415])
            let answer = try await server.post(body, headers: ["content-type": "Application/JSON; charset=utf-8"])
            #expect(answer.status == 201)
        }
        #expect(rows.count == 1)
    }

    @Test("refuses foreign hosts with 421, and requests without exactly one host with 400")
    func hosts() async throws {
        let rows = try await TestServer.run {
            $0.allowedHosts = ["ingest.example"]
        } _: { server in
            for (hosts, status) in [
                ("Host: evil.example\r\n", 421), ("", 400), ("Host:\r\n", 400),
                ("Host: localhost\r\nHost: localhost\r\n", 400), ("Host: localhost\r\nhost: evil.example\r\n", 400),
                ("Host: localhost\r\n", 201), ("Host: 127.0.0.1:8080\r\n", 201), ("Host: Ingest.Example\r\n", 201),
            ] {
                let body = #"{"sensor": "a", "value": 1}"#
                let answers = try await onThread {
                    try Answer.exchange(
                        [
                            "POST /measurements HTTP/1.1\r\n\(hosts)Content-Type: application/json\r\n"
                                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)",
                            "HEAD /health HTTP/1.1\r\n\(hosts)\r\n", "GET /nothing HTTP/1.1\r\n\(hosts)\r\n",
                        ], port: server.port)
                }
                let expected = status == 201 ? [201, 200, 404] : [status, status, status]
                #expect(answers.map(\.status) == expected, "\(hosts)")
                if status != 201 { #expect(answers[0].code == "host") }
            }
        }
        #expect(rows.count == 3)
    }

    @Test(
        "sends no body in response to HEAD, so that the next response is read correctly",
        arguments: [("/health", 200), ("/measurements", 405), ("/nothing", 404)])
    func head(_ path: String, _ status: Int) async throws {
        try await TestServer.run { server in
            let answers = try await onThread {
                try Answer.exchange(
                    [
                        Answer.request("HEAD", path), Answer.request("OPTIONS", path), Answer.request("HEAD", path),
                        Answer.request("GET", "/health"),
                    ], port: server.port)
            }
            #expect(answers[0].status == status)
            // No permission for the scripts of other sites.
            #expect(answers[1].status == (status == 404 ? 404 : 405))
            #expect(answers[1].headers.keys.allSatisfy { !$0.hasPrefix("access-control-") })
            #expect(answers[3].body == #"{"accepted":0,"saved":0,"status":"ok"}"#)
        }
    }

    @Test("allows the methods of a path only, with 405, and does not know others: 501")
    func methods() async throws {
        try await TestServer.run { server in
            for (path, allowed) in [("/measurements", ["POST"]), ("/health", ["GET", "HEAD"])] {
                for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
                where !allowed.contains(method) {
                    let answer = try await onThread { try Answer.to(method, path, port: server.port) }
                    #expect(answer.status == 405)
                    #expect(answer.headers["allow"] == allowed.joined(separator: ", "))
                }
                let unknown = try await onThread { try Answer.to("PROPFIND", path, port: server.port) }
                #expect(unknown.status == 501)
                #expect(unknown.code == "method")
            }
            #expect(try await onThread { try Answer.to("TRACE", "/nothing", port: server.port).status } == 404)
            #expect(try await onThread { try Answer.to("PROPFIND", "/nothing", port: server.port).status } == 501)
        }
    }

    @Test("is unwell while measurements cannot be saved, and logs that once")
    func unwell() async throws {
        let handler = InMemoryLogHandler()
        let path = MutableProperty("")
        let rows = try await TestServer.run(logger: Logger(label: "test") { _ in handler }) {
            path.value = $0.database
        } _: { server in
            let body = #"{"sensor": "a", "value": 1}"#
            #expect(try await server.post(body).status == 201)
            let full = try DatabaseQueue(path: path.value)
            try await full.write {
                try $0.execute(
                    sql: "CREATE TRIGGER full BEFORE INSERT ON measurement BEGIN SELECT RAISE(ABORT, 'full'); END")
            }
            for accepted in 2...4 {
                let answer = try await server.post(body)
                #expect(answer.status == 500)
                #expect(answer.code == "storage")
                let health = try await server.send("GET", "/health")
                #expect(health.status == 503)
                #expect(health.body == #"{"accepted":\#(accepted),"saved":1,"status":"failing"}"#)
            }
            try await full.write { try $0.execute(sql: "DROP TRIGGER full") }
            // Nobody has to send a measurement for the server to be well again.
            #expect(try await server.send("GET", "/health").status == 200)
            #expect(try await server.post(body).body == #"{"id":2}"#)
        }
        #expect(rows.count == 2)
        let messages = handler.entries.filter { $0.level >= .notice }.map(\.message.description)
        #expect(messages == ["Measurements cannot be saved.", "Measurements are saved again."])
    }

    @Test("limits each client: 429, and when to retry")
    func rate() async throws {
        let rows = try await TestServer.run {
            // So slow that no permit comes back during the test.
            $0.limits.rate = 3
            $0.limits.period = .seconds(3_600)
            $0.clientHeader = HTTPField.Name("X-Client")
        } _: { server in
            let body = #"{"sensor": "a", "value": 1}"#
            for number in 0..<5 {
                let answer = try await server.post(body, headers: ["X-Client": "ada"])
                #expect(answer.status == (number < 3 ? 201 : 429))
                if number < 3 {
                    #expect(answer.retryAfter == nil)
                } else {
                    // Less what the test has taken.
                    let delay = try #require(answer.retryAfter.flatMap { Int($0) })
                    #expect((1_000...1_200).contains(delay))
                }
            }
            #expect(try await server.post(body, headers: ["X-Client": "grace"]).status == 201)
            // Without the header, the client is the address.
            #expect(try await server.post(body).status == 201)
        }
        #expect(rows.count == 5)
    }

    @Test("sheds load when the disk is slow: 503, and when to retry")
    func shedding() async throws {
        let disk = HeldDisk()
        let rows = try await TestServer.run {
            $0.limits.queue = 2
            $0.limits.batch = 1
            $0.afterCommit = disk.hold
        } _: { server in
            defer { disk.release() }
            let body = #"{"sensor": "a", "value": 1}"#
            async let first = server.post(body)
            async let second = server.post(body)
            try await server.waitForAccepted(2)
            await disk.waitForCommits(1)
            let refused = try await server.post(body)
            #expect(refused.status == 503)
            #expect(refused.retryAfter == "1")

            // The first commit takes more than half a second. When the second one begins, there is a place again.
            // check-waits: the server measures real time, and a longer one does not matter.
            try await Task.sleep(for: .milliseconds(600))
            disk.release(1)
            await disk.waitForCommits(2)
            async let third = server.post(body)
            try await server.waitForAccepted(3)
            // The server knows now how long a write takes. Two are waiting.
            let delay = try await server.post(body).retryAfter.flatMap { Int($0) }
            #expect(delay.map { $0 >= 2 } == true)
            disk.release()
            #expect(try await [first.status, second.status, third.status] == [201, 201, 201])
        }
        #expect(rows.count == 3)
    }

    @Test("saves and answers what it has accepted when it shuts down")
    func shutdown() async throws {
        let disk = HeldDisk()
        let rows = try await TestServer.run {
            $0.afterCommit = disk.hold
        } _: { server in
            defer { disk.release() }
            async let answer = server.post(#"{"sensor": "a", "value": 1}"#)
            try await server.waitForAccepted(1)
            await server.shutDown()
            disk.release()
            #expect(try await answer.status == 201)
        }
        #expect(rows.count == 1)
    }
}

/// A slow disk, on which a commit takes until the test releases it.
private final class HeldDisk: Sendable {
    private let commits = MutableProperty(0)
    private let releases = DispatchSemaphore(value: 0)

    var hold: @Sendable () -> Void {
        {
            self.commits.modify { $0 += 1 }
            self.releases.wait()
        }
    }

    /// Returns when this many commits have begun to be held. The earlier ones have been answered by then.
    func waitForCommits(_ count: Int) async { _ = await commits.producer.filter { $0 >= count }.first() }

    /// Releases this many commits, by default more than there are.
    func release(_ count: Int = 1_000) {
        for _ in 0..<count { releases.signal() }
    }
}
