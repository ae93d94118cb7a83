import Foundation
import GRDB
import InMemoryLogging
import LiveBoardKit
import Logging
import ReactiveSignals
import ServerKitTesting
import Testing

@Suite("HTTP")
struct HTTPTests {
    static let draft = #"{"title":"Down","severity":"high","reporter":"Ann"}"#

    @Test("posts, acknowledges, resolves, and returns the state")
    func changes() async throws {
        try await TestServer.run { server in
            let posted = try await server.request("POST", "/api/incidents", json: Self.draft)
            #expect(posted.status == 201)
            #expect(try posted.decoded(BoardEvent.self).incident.title == "Down")
            let acknowledged = try await server.request(
                "POST", "/api/incidents/1/acknowledge", json: #"{"by":"Bob","version":1}"#)
            #expect(acknowledged.status == 200)
            let resolved = try await server.request("POST", "/api/incidents/1/resolve", json: #"{"by":"Cleo"}"#)
            #expect(try resolved.decoded(BoardEvent.self).kind == .resolved)
            let snapshot = try await server.request("GET", "/api/incidents").decoded(Snapshot.self)
            #expect(snapshot == Snapshot(server.board.state.value))
            #expect(snapshot.sequence == 3)
        }
    }

    @Test(
        "accepts addresses, localhost and its own names, with any port",
        arguments: [
            "localhost", "LocalHost:8080", "localhost.", "board.localhost", "127.0.0.1", "127.0.0.1:1",
            "192.168.1.7:8080",
            "[::1]:8080", "[fe80::1]", "board.example", "BOARD.example:443", "board.example.",
        ])
    func host(_ host: String) async throws {
        try await TestServer.run {
            $0.allowedHosts = ["Board.Example"]
        } _: { server in
            for path in ["/", "/health", "/api/incidents"] {
                let answer = try await server.request("GET", path, headers: ["Host": host])
                #expect(answer.status == 200)
            }
        }
    }

    @Test(
        "refuses foreign names, whose pages would have the same origin: 421",
        arguments: [
            "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost",
            "127.0.0.1x", "1.2.3", "[::1", "localhost:80:80", "user@localhost", "localhost:x", "999.0.0.1",
        ])
    func foreignHost(_ host: String) async throws {
        try await TestServer.run { server in
            for (method, path) in [
                ("GET", "/"), ("GET", "/api/incidents"), ("GET", "/events"), ("GET", "/nothing"),
                ("POST", "/api/incidents"),
            ] {
                let json = method == "POST" ? Self.draft : nil
                let answer = try await server.request(method, path, json: json, headers: ["Host": host])
                #expect(answer.status == 421, "\(method) \(path)")
                #expect(answer.code == "host")
                #expect((answer.error["message"] as? String)?.contains("--allow-host") == true)
            }
            #expect(server.board.state.value.sequence == 0)
        }
    }

    @Test("refuses a request without a host: 400, and accepts any name with *")
    func noHost() async throws {
        try await TestServer.run { server in
            let answer = try await server.request("GET", "/", headers: ["Host": ""])
            #expect(answer.status == 400)
            #expect(answer.code == "host")
        }
        try await TestServer.run {
            $0.allowedHosts = ["*"]
        } _: { server in
            let answer = try await server.request("GET", "/", headers: ["Host": "anything.example"])
            #expect(answer.status == 200)
        }
    }

    @Test("refuses requests with two hosts, and those of HTTP/1.1 that name none: 400")
    func hostCount() async throws {
        try await TestServer.run { server in
            for hosts in [
                "", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nhost: evil.example\r\n",
                "Host: \r\nHost: localhost\r\n",
            ] {
                for line in ["GET /", "HEAD /", "GET /events", "GET /nothing", "OPTIONS /api/incidents"] {
                    let answers = try await onThread {
                        try Answer.exchange(["\(line) HTTP/1.1\r\n\(hosts)\r\n"], port: server.port)
                    }
                    #expect(answers.map(\.status) == [400], "\(line) \(hosts)")
                    if !line.hasPrefix("HEAD") { #expect(answers[0].code == "host", "\(line) \(hosts)") }
                }
            }
        }
    }

    @Test(
        "sends no body in response to HEAD, so that the next response is read correctly",
        arguments: [
            ("/", 200), ("/app.js", 200), ("/health", 200), ("/metrics", 200), ("/api/incidents", 200),
            ("/events", 405),
            ("/api/incidents/1/resolve", 405), ("/nothing", 404), ("/../../etc/passwd", 404),
        ])
    func head(_ path: String, _ status: Int) async throws {
        try await TestServer.run { server in
            let answers = try await onThread {
                try Answer.exchange(
                    [
                        Answer.request("HEAD", path), Answer.request("HEAD", path, headers: ["Host": "evil.example"]),
                        Answer.request("OPTIONS", path), Answer.request("GET", "/health"),
                    ], port: server.port)
            }
            #expect(answers[0].status == status)
            #expect(answers[1].status == 421)
            // No permission for the scripts of other sites.
            #expect(answers[2].status == (status == 404 ? 404 : 405))
            #expect(answers[2].headers.keys.allSatisfy { !$0.hasPrefix("access-control-") })
            #expect(answers[3].body == #"{"status":"ok"}"#)
        }
    }

    @Test(
        "refuses NUL and other control characters in every field: 422", arguments: [0, 1, 8, 0x1B, 0x7F, 0x85, 0x202E])
    func controlCharacters(_ scalar: UInt32) async throws {
        try await TestServer.run { server in
            let bad = "a\\u" + String(format: "%04x", scalar) + "b"
            for field in ["title", "description", "reporter"] {
                var fields = ["title": "t", "description": "d", "reporter": "r"]
                fields[field] = bad
                let text = fields.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
                let answer = try await server.request(
                    "POST", "/api/incidents", json: #"{"severity":"low",\#(text)}"#)
                #expect(answer.status == 422)
                #expect(answer.fields.keys.sorted() == [field])
            }
            try await server.post(1)
            let answer = try await server.request("POST", "/api/incidents/1/resolve", json: #"{"by":"\#(bad)"}"#)
            #expect(answer.status == 422)
        }
    }

    @Test("is unwell while changes cannot be saved, and logs that once")
    func unwell() async throws {
        let handler = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in handler }
        let folder = try TemporaryFolder()
        let path = folder.path("board.sqlite")
        try await TestServer.run(database: path, logger: logger) { server in
            try await server.post(1)
            let full = try DatabaseQueue(path: path)
            try await full.write {
                try $0.execute(
                    sql: "CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'full'); END")
            }
            #expect(try await server.request("GET", "/health").status == 200)
            for _ in 0..<3 {
                #expect(try await server.request("POST", "/api/incidents", json: Self.draft).status == 500)
                let health = try await server.request("GET", "/health")
                #expect(health.status == 503)
                #expect(health.body == #"{"status":"failing"}"#)
            }
            try await full.write { try $0.execute(sql: "DROP TRIGGER full") }
            // Nobody has to write for the board to be well again.
            #expect(try await server.request("GET", "/health").status == 200)
            #expect(try await server.request("POST", "/api/incidents", json: Self.draft).status == 201)
            #expect(server.board.state.value.sequence == 2)
        }
        let messages = handler.entries.filter { $0.level >= .notice }.map(\.message.description)
        #expect(messages == ["Changes cannot be saved.", "Changes are saved again."])
    }

    @Test("returns the problem of each field: 422")
    func invalid() async throws {
        try await TestServer.run { server in
            let answer = try await server.request("POST", "/api/incidents", json: #"{"severity":"awful"}"#)
            #expect(answer.status == 422)
            #expect(answer.code == "invalid")
            #expect(answer.fields.keys.sorted() == ["reporter", "severity", "title"])
            #expect(server.board.state.value.sequence == 0)
        }
    }

    @Test("refuses unknown incidents: 404", arguments: ["2", "0", "-1", "x", "99999999999999999999", "%2e%2e"])
    func unknown(id: String) async throws {
        try await TestServer.run { server in
            try await server.post(1)
            let answer = try await server.request("POST", "/api/incidents/\(id)/resolve", json: #"{"by":"Bob"}"#)
            #expect(answer.status == 404)
        }
    }

    @Test("reports a conflict with the current incident: 409")
    func conflict() async throws {
        try await TestServer.run { server in
            try await server.post(1)
            let first = try await server.request("POST", "/api/incidents/1/resolve", json: #"{"by":"Bob","version":1}"#)
            #expect(first.status == 200)
            let second = try await server.request(
                "POST", "/api/incidents/1/resolve", json: #"{"by":"Cleo","version":1}"#)
            #expect(second.status == 409)
            let incident = try #require(second.error["incident"] as? [String: Any])
            #expect(incident["version"] as? Int == 2)
        }
    }

    @Test("lets exactly one of fifty conflicting requests succeed", arguments: ["acknowledge", "resolve"])
    func oneWins(verb: String) async throws {
        try await TestServer.run { server in
            try await server.post(1)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await server.request(
                            "POST", "/api/incidents/1/\(verb)", json: #"{"by":"Person \#(number)","version":1}"#
                        ).status
                    }
                }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [200: 1, 409: 49])
        }
    }

    @Test(
        "refuses malformed JSON and wrong types: 400",
        arguments: [
            "", "{", "null", "[]", "42", #"{"title":1}"#, #"{"title":{"a":1}}"#, "{\"title\":\"\u{1}\"}",
            String(repeating: "[", count: 10_000), #"{"title":"\ud800"}"#,
        ])
    func malformed(json: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.request("POST", "/api/incidents", json: json)
            #expect(answer.status == 400)
            #expect(server.board.state.value.sequence == 0)
        }
    }

    @Test("refuses bytes that are not text: 400")
    func bytes() async throws {
        try await TestServer.run { server in
            let answer = try await onThread {
                let wire = try Wire(port: server.port)
                wire.send(
                    "POST /api/incidents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n"
                )
                wire.send(Array(#"{"title":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8))
                return try Answer(wire)
            }
            #expect(answer?.status == 400)
        }
    }

    @Test("refuses content types other than JSON, so that forms of other sites cannot post: 415")
    func mediaTypes() async throws {
        try await TestServer.run { server in
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
                let answer = try await server.request(
                    "POST", "/api/incidents", json: Self.draft, headers: ["content-type": type])
                #expect(answer.status == 415)
            }
            let answer = try await server.request(
                "POST", "/api/incidents", json: Self.draft, headers: ["content-type": "Application/JSON; charset=utf-8"]
            )
            #expect(answer.status == 201)
        }
    }

    @Test("refuses bodies that are too large, announced or not: 413")
    func tooLarge() async throws {
        try await TestServer.run { server in
            let large = #"{"title":"\#(String(repeating: "a", count: 17_000))"}"#
            #expect(try await server.request("POST", "/api/incidents", json: large).status == 413)
            let chunked = try await onThread {
                let wire = try Wire(port: server.port)
                wire.send(
                    "POST /api/incidents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<20 { wire.send("400\r\n\(String(repeating: "a", count: 1_024))\r\n") }
                wire.send("0\r\n\r\n")
                return try Answer(wire)
            }
            #expect(chunked?.status == 413)
        }
    }

    @Test("lists the methods of a path, with 405, and does not know others: 501")
    func methods() async throws {
        try await TestServer.run { server in
            let answer = try await server.request("DELETE", "/api/incidents")
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "GET, HEAD, POST")
            #expect(try await server.request("GET", "/api/incidents/1/resolve").status == 405)
            #expect(try await server.request("POST", "/events", json: "{}").status == 405)
            for path in ["/", "/health", "/metrics", "/api/incidents", "/events"] {
                #expect(try await server.request("TRACE", path).status == 405)
                #expect(try await server.request("PROPFIND", path).status == 501)
            }
            #expect(try await server.request("TRACE", "/nothing").status == 404)
            #expect(try await server.request("PROPFIND", "/nothing").status == 501)
            #expect(try await server.request("GET", "/nothing").status == 404)
            #expect(try await server.request("GET", "/../../etc/passwd").status == 404)
        }
    }

    @Test(
        "closes connections that do not speak HTTP, and continues",
        arguments: [
            "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
            "POST /api/incidents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n",
            "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 300) + "\r\n",
        ])
    func noHTTP(text: String) async throws {
        try await TestServer.run { server in
            let answer = try await onThread {
                let wire = try Wire(port: server.port)
                wire.send(text)
                return String(decoding: try wire.rest(), as: UTF8.self)
            }
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"))
            #expect(try await server.request("GET", "/health").status == 200)
        }
    }

    @Test("answers pipelined requests in order")
    func pipelining() async throws {
        try await TestServer.run { server in
            let statuses = try await onThread {
                let wire = try Wire(port: server.port)
                wire.send(
                    Answer.request("POST", "/api/incidents", json: Self.draft) + Answer.request("GET", "/nothing")
                        + Answer.request("POST", "/api/incidents/1/resolve", json: #"{"by":"Bob"}"#))
                return try (0..<3).map { _ in try Answer(wire)?.status }
            }
            #expect(statuses == [201, 404, 200])
        }
    }

    @Test("serves the page, and does not resend what the browser has")
    func page() async throws {
        try await TestServer.run { server in
            for (path, type, text) in [
                ("/", "text/html", "<title>Live board</title>"), ("/app.js", "text/javascript", "EventSource"),
                ("/style.css", "text/css", "prefers-color-scheme"), ("/icon.svg", "image/svg+xml", "<svg"),
            ] {
                let answer = try await server.request("GET", path)
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"]?.hasPrefix(type) == true)
                #expect(answer.body.contains(text))
                let tag = try #require(answer.headers["etag"])
                let again = try await server.request("GET", path, headers: ["if-none-match": tag])
                #expect(again.status == 304)
                let head = try await server.request("HEAD", path)
                #expect(head.headers["content-length"] == "\(answer.body.utf8.count)")
            }
            // What the page shows before it has data is not a number.
            let page = try await server.request("GET", "/").body
            let counters = page.matches(of: #/id="count-\w+">([^<]*)</#).map(\.output.1)
            #expect(counters == ["–", "–", "–", "–"])
        }
    }

    @Test(
        "has a page without inline scripts and styles, as its policy requires",
        arguments: ["/", "/nothing", "/api/incidents"])
    func security(path: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.request("GET", path)
            let policy = try #require(answer.headers["content-security-policy"])
            for part in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"] {
                #expect(policy.contains(part))
            }
            #expect(!policy.contains("unsafe"))
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["x-frame-options"] == "DENY")
            #expect(answer.headers["referrer-policy"] == "no-referrer")
            let page = try await server.request("GET", "/").body
            #expect(!page.contains("style=") && !page.contains("onclick") && !page.contains("<style"))
            let script = try await server.request("GET", "/app.js").body
            for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
                #expect(!script.contains(sink))
            }
        }
    }

    @Test(
        "delivers text from people unchanged, and as nothing but text",
        arguments: [
            "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)",
            "';DROP TABLE event;--", "{{7*7}}${7*7}", "\\u003cscript\\u003e", "a\u{2028}b", "&lt;b&gt;",
        ])
    func injection(text: String) async throws {
        try await TestServer.run { server in
            let reader = try await server.events()
            // The response may begin before its stream observes the board.
            #expect(try await onThread { try reader.next() }?.snapshot != nil)
            func json(_ object: [String: String]) throws -> String {
                String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
            }
            let forged = "\(text)\n\nid: 99\nevent: change\ndata: {}"
            let posted = try await server.request(
                "POST", "/api/incidents",
                json: try json(["title": text, "description": forged, "severity": "low", "reporter": text]))
            #expect(posted.status == 201)
            let answers = [
                posted,
                try await server.request("POST", "/api/incidents/1/acknowledge", json: try json(["by": text])),
                try await server.request("POST", "/api/incidents/1/resolve", json: try json(["by": text])),
                try await server.request("GET", "/api/incidents"),
                // The error lists the choices, and does not repeat the invalid severity.
                try await server.request(
                    "POST", "/api/incidents",
                    json: try json(["title": "a", "severity": text, "reporter": "Ann"])),
                try await server.request(
                    "GET", "/\(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"),
            ]
            for answer in answers {
                #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
                #expect(!answer.body.contains("<") && !answer.body.contains(">") && !answer.body.contains("\u{2028}"))
            }
            let incident = try posted.decoded(BoardEvent.self).incident
            #expect(incident.title == text && incident.posted.by == text && incident.description == forged)
            #expect(server.board.state.value.incident(1)?.resolved?.by == text)
            // Text inside an event cannot form another event.
            let messages = try await onThread { try (0..<3).map { _ in try reader.next() } }
            #expect(messages.map { $0?.change?.sequence } == [1, 2, 3])
            #expect(messages[0]?.change?.incident == incident)
        }
    }
}
