import Dispatch
import HTTPTypes
import IngestKit
import ReactiveSignals
import Testing

@Suite("The server", .timeLimit(.minutes(15)))
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
            (#"{"sensor": "", "value": 1}"#, 422, #"{"sensor":"must be a text of 1 to 100 bytes"}"#),
            (#"{"sensor": "a"}"#, 422, #"{"value":"must be a number"}"#),
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
