import CookbookKit
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

private struct Refused: Error, CustomStringConvertible {
    var description: String { "connection refused" }
}

@Suite("A health page", .patient)
struct HealthTests {
    private func get(_ page: HealthPage, accept: String? = nil) async throws -> (status: Int, body: String) {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/health")
        head.headerFields[.accept] = accept
        let response = try page.response(to: Request(head: head, body: RequestBody(buffer: ByteBuffer())))
        let writer = TestWriter()
        try await response.body.write(writer)
        return (response.status.code, writer.written.value)
    }

    @Test("answers 200 if every check passes, and 503 with the reason otherwise")
    func page() async throws {
        let load = MutableProperty(10)
        let queue = MutableProperty(HealthStatus.passing)
        let page = HealthPage([
            HealthCheck("queue", queue),
            HealthCheck("load", load.map { $0 < 100 ? .passing : .failing("load \($0)") }),
        ])
        #expect(try await get(page) == (200, #"{"checks":{"load":"ok","queue":"ok"},"status":"ok"}"#))
        load.value = 200
        #expect(try await get(page) == (503, #"{"checks":{"load":"load 200","queue":"ok"},"status":"failing"}"#))
        #expect(try await get(page, accept: "text/plain") == (503, "queue: ok\nload: load 200\n"))
    }

    @Test("changes once when two checks change together")
    func consistency() {
        let connections = MutableProperty(0)
        let page = HealthPage([
            HealthCheck("few", connections.map { $0 < 10 ? .passing : .failing("too many") }),
            HealthCheck("some", connections.map { $0 > 0 ? .passing : .failing("none") }),
        ])
        let recorder = page.report.record(on: TestScheduler())
        connections.value = 10
        #expect(recorder.values.map(\.text) == ["few: ok\nsome: none\n", "few: too many\nsome: ok\n"])
    }

    @Test("polls at an interval, with a time limit")
    func polling() async throws {
        let scheduler = TestScheduler()
        await scheduler.run {
            let answer = MutableProperty<Result<Duration, Refused>>(.success(.seconds(1)))
            let check = HealthCheck.polling("database", every: .seconds(10), timeout: .seconds(2), on: scheduler) {
                try await Task.sleep(for: try answer.value.get(), clock: scheduler)
            }
            #expect(check.status.value == .failing("not checked yet"))
            await scheduler.advance(by: .seconds(1))
            #expect(check.status.value == .passing)
            answer.value = .success(.seconds(3))
            await scheduler.advance(to: TestScheduler.Instant(offset: .seconds(13)))
            #expect(check.status.value == .failing("no answer within 2.0 seconds"))
            answer.value = .failure(Refused())
            await scheduler.advance(by: .seconds(10))
            #expect(check.status.value == .failing("connection refused"))
            answer.value = .success(.zero)
            await scheduler.advance(by: .seconds(10))
            #expect(check.status.value == .passing)
        }
    }
}
