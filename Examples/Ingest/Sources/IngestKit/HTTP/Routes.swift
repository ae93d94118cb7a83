import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ReactiveServer
import ReactiveSignals
import ServerKit

/// The routes of the server.
struct Routes: Sendable {
    /// The maximum size of a request's body, in bytes.
    static let bodyLimit = 4_096

    let intake: Intake
    let store: MeasurementStore
    let limiter: RateLimiter.Keyed<String>
    /// The header in which a proxy names the client; `nil` to use its address.
    let clientHeader: HTTPField.Name?
    let hosts: AllowedHosts

    private struct Saved: Encodable {
        let id: Int
    }

    private struct Health: Encodable {
        let status: String
        let accepted: Int
        let saved: Int
    }

    func router() -> Router<ClientContext> {
        let router = Router(context: ClientContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: HeadResponses())
        router.add(middleware: ErrorResponses())
        router.add(
            middleware: HostCheck(hosts) { status, message in
                let advice = " To accept it, start Ingest with --allow-host NAME."
                return Refusal(status, "host", status == .misdirectedRequest ? message + advice : message)
            })
        router.add(middleware: MethodCheck { Refusal($0, "method", $1) })
        router.post("/measurements") { request, context in
            try admit(clientHeader.flatMap { request.headers[$0] } ?? context.address)
            let reading = try await reading(in: request)
            return Response(json: Saved(id: try await save(reading)), status: .created)
        }
        router.get("/health") { _, _ in
            if intake.failure.value != nil { await intake.recheck(store.probe) }
            let (counts, isWell) = (intake.counts, intake.failure.value == nil)
            return Response(
                json: Health(
                    status: isWell ? "ok" : "failing", accepted: counts.accepted, saved: counts.saved),
                status: isWell ? .ok : .serviceUnavailable)
        }
        refuseOthers("/measurements", than: [.post], in: router)
        refuseOthers("/health", than: [.get, .head], in: router)
        return router
    }

    /// Responds to methods that a path does not have.
    private func refuseOthers(
        _ path: RouterPath, than methods: [HTTPRequest.Method], in router: Router<ClientContext>
    ) {
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        for method in HTTPRequest.Method.standard where !methods.contains(method) {
            router.on(path, method: method) { _, _ -> Response in
                throw Refusal(
                    .methodNotAllowed, "method", "This path supports only \(allowed).", headers: [.allow: allowed])
            }
        }
    }

    /// Before anything else, so that a client beyond its limit costs as little as possible.
    private func admit(_ client: String) throws(Refusal) {
        if limiter.tryAcquire(for: client) { return }
        throw Refusal(
            .tooManyRequests, "rate", "This client sends too many measurements.",
            retryAfter: limiter.delay(for: client))
    }

    private func reading(in request: Request) async throws -> Reading {
        // Also keeps out pages of other sites: a form cannot have this type, and a script needs a permission for it.
        guard request.headers[.contentType].flatMap({ MediaType(from: $0) })?.isType(.applicationJson) == true else {
            throw Refusal(.unsupportedMediaType, "media-type", "The content type must be application/json.")
        }
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

    private func save(_ reading: Reading) async throws(Refusal) -> Int {
        do throws(ActionError<StorageFailure>) {
            return try await intake.save(reading)
        } catch {
            switch error {
            case .disabled:
                throw Refusal(
                    .serviceUnavailable, "busy",
                    "Too many measurements are waiting for the disk, or the server is shutting down.",
                    retryAfter: intake.drainTime)
            case .producerError:
                throw Refusal(
                    .internalServerError, "storage",
                    "The measurement was not saved, because the disk failed. The server's log has the reason.")
            }
        }
    }
}
