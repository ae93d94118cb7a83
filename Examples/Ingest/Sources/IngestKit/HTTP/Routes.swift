import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ReactiveSignals

/// The routes of the server.
struct Routes: Sendable {
    /// The maximum size of a request's body, in bytes.
    static let bodyLimit = 4_096

    let intake: Intake
    let limiter: RateLimiter.Keyed<String>
    /// The header in which a proxy names the client; `nil` to use its address.
    let clientHeader: HTTPField.Name?

    private struct Saved: Encodable {
        let id: Int
    }

    private struct Health: Encodable {
        var status = "ok"
        let accepted: Int
        let saved: Int
    }

    func router() -> Router<ClientContext> {
        let router = Router(context: ClientContext.self)
        router.add(middleware: ErrorResponses())
        router.post("/measurements") { request, context in
            try admit(clientHeader.flatMap { request.headers[$0] } ?? context.address)
            let reading = try await reading(in: request)
            return Response(json: Saved(id: try await save(reading, context)), status: .created)
        }
        for method in [.get, .head, .put, .patch, .delete] as [HTTPRequest.Method] {
            router.on("/measurements", method: method) { _, _ -> Response in
                throw Refusal(
                    .methodNotAllowed, "method", "Send measurements with POST.", headers: [.allow: "POST"])
            }
        }
        router.get("/health") { _, _ in
            let counts = intake.counts
            return Response(json: Health(accepted: counts.accepted, saved: counts.saved))
        }
        return router
    }

    /// Before anything else, so that a client beyond its limit costs as little as possible.
    private func admit(_ client: String) throws(Refusal) {
        if limiter.tryAcquire(for: client) { return }
        throw Refusal(
            .tooManyRequests, "rate", "This client sends too many measurements.",
            retryAfter: limiter.delay(for: client))
    }

    private func reading(in request: Request) async throws -> Reading {
        let tooLarge = Refusal(
            .contentTooLarge, "too-large", "The body must not be larger than \(Self.bodyLimit) bytes.")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.bodyLimit { throw tooLarge }
        let bytes: ByteBuffer
        do {
            bytes = try await request.body.collect(upTo: Self.bodyLimit)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch {
            // The client has disconnected or is too slow, which is nothing for the log.
            throw Refusal(.badRequest, "incomplete", "The body ended too early.")
        }
        guard let draft = try? JSONDecoder().decode(Draft.self, from: Data(bytes.readableBytesView)) else {
            throw Refusal(.badRequest, "malformed", "The body is not JSON, or a field has the wrong type.")
        }
        switch draft.checked(now: Reading.systemTime()) {
        case .success(let reading): return reading
        case .failure(let invalid):
            throw Refusal(.unprocessableContent, "invalid", "Some fields are not valid.", fields: invalid.problems)
        }
    }

    private func save(_ reading: Reading, _ context: ClientContext) async throws(Refusal) -> Int {
        do throws(ActionError<StorageFailure>) {
            return try await intake.save(reading)
        } catch {
            switch error {
            case .disabled:
                throw Refusal(
                    .serviceUnavailable, "busy",
                    "Too many measurements are waiting for the disk, or the server is shutting down.",
                    retryAfter: intake.drainTime)
            case .producerError(let failure):
                context.logger.error("A measurement could not be saved.", metadata: ["error": "\(failure)"])
                throw Refusal(
                    .internalServerError, "storage",
                    "The measurement was not saved, because the disk failed. The server's log has the reason.")
            }
        }
    }
}
