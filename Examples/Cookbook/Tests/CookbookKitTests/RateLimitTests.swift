import CookbookKit
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

private struct Trouble: Error, Equatable {}

@Suite("Rate limits", .patient)
struct RateLimitTests {
    private let scheduler = TestScheduler()

    @Test("refuses a client that sends too much, and says when to come back")
    func perClient() async throws {
        let limit = RateLimit<BasicRequestContext>(
            RateLimiter.Keyed(2, per: .seconds(10), maxKeys: 1_000, on: scheduler)
        ) { request, _ in request.headers[.authorization] ?? "" }
        func send(as client: String) async throws -> String {
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: "localhost", path: "/",
                headerFields: [.authorization: client])
            let context = BasicRequestContext(
                source: ApplicationRequestContextSource(
                    channel: EmbeddedChannel(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
            let response = try await limit.handle(
                Request(head: head, body: RequestBody(buffer: ByteBuffer())), context: context
            ) { _, _ in Response(status: .ok) }
            return "\(response.status.code) \(response.headers[.retryAfter] ?? "")"
        }
        #expect(try await [send(as: "ada"), send(as: "ada"), send(as: "ada")] == ["200 ", "200 ", "429 5"])
        #expect(try await send(as: "grace") == "200 ")
        await scheduler.advance(by: .milliseconds(4_500))
        #expect(try await send(as: "ada") == "429 1")
        await scheduler.advance(by: .milliseconds(500))
        #expect(try await send(as: "ada") == "200 ")
    }

    @Test("calls an API no more often than it permits, and counts retries")
    func outgoing() async {
        await scheduler.run {
            let calls = MutableProperty<[String]>([])
            let partner = PartnerAPI<String, String, Trouble>(
                RateLimiter(1, per: .seconds(1), on: scheduler), retry: .constant(.milliseconds(100), upTo: 1),
                on: scheduler
            ) { (call) async throws(Trouble) in
                let attempt = calls.modify { calls in
                    calls.append("\(call) at \(scheduler.now)")
                    return calls.count { $0.hasPrefix(call) }
                }
                if call == "b", attempt == 1 { throw Trouble() }
                return "answer to \(call)"
            }
            let answers = SignalProducer(["a", "b", "c"]).promoteError(Trouble.self)
                .flatMap(.merge) { partner.answer(to: $0) }.record(on: scheduler)
            await scheduler.advance(by: .seconds(10))
            #expect(calls.value == ["a at 0.0 seconds", "b at 1.0 seconds", "c at 2.0 seconds", "b at 3.0 seconds"])
            #expect(answers.values == ["answer to a", "answer to c", "answer to b"])
            #expect(answers.hasCompleted)
        }
    }
}
