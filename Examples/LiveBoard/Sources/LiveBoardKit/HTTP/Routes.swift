import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ReactiveSignals
import ReactiveSignalsPrometheus
import ServerKit
import ServiceLifecycle

/// The routes of the server.
struct Routes: Sendable {
    typealias Context = BasicRequestContext
    typealias Handler = @Sendable (Request, Context) async throws -> Response

    /// The maximum size of a request's body, in bytes.
    static let bodyLimit = 16_384

    let board: Board
    let feed: Feed
    let snapshots: SnapshotCache
    let page: Page
    let prometheus: PrometheusMetrics
    let hosts: AllowedHosts

    func router() -> Router<Context> {
        let router = Router(context: Context.self)
        router.add(middleware: HeadResponses())
        // Both see the final status, because the envelope turns errors into responses.
        router.add(middleware: TracingMiddleware())
        router.add(middleware: MetricsMiddleware())
        router.add(middleware: Envelope())
        router.add(
            middleware: HostCheck(hosts) { status, message in
                let advice = " To accept it, start LiveBoard with --allow-host NAME."
                return Refusal(status, "host", status == .misdirectedRequest ? message + advice : message)
            })
        router.add(middleware: MethodCheck { Refusal($0, "method", $1) })
        for (path, file) in page.files {
            add(path, to: router, [.get: { request, _ in file.response(to: request) }])
        }
        add(
            "/health", to: router,
            [
                .get: { _, _ in
                    await board.isFailing
                        ? Response(json: #"{"status":"failing"}"#, status: .serviceUnavailable)
                        : Response(json: #"{"status":"ok"}"#)
                }
            ])
        add("/metrics", to: router, [.get: { _, _ in Response(metrics: prometheus) }])
        add(
            "/api/incidents", to: router,
            [
                .get: { _, _ in Response(json: snapshots.entry(for: board.state.value).json) },
                .post: { request, context in
                    let draft = try await decode(Draft.self, from: request)
                    return try await run(board.post, draft, context, .created)
                },
            ])
        add(
            "/api/incidents/:id/acknowledge", to: router,
            [
                .post: { request, context in
                    let change = try await change(in: request, context)
                    return try await run(board.acknowledge, change, context)
                }
            ])
        add(
            "/api/incidents/:id/resolve", to: router,
            [
                .post: { request, context in
                    let change = try await change(in: request, context)
                    return try await run(board.resolve, change, context)
                }
            ])
        add("/events", to: router, [.get: { request, _ in try events(request) }])
        return router
    }

    /// Adds a path. Other methods than those of `handlers` get 405 and the list of allowed methods.
    private func add(_ path: String, to router: Router<Context>, _ handlers: [HTTPRequest.Method: Handler]) {
        var handlers = handlers
        // A response to HEAD needs the length of the body, which a stream does not have.
        if let get = handlers[.get], path != "/events" { handlers[.head] = get }
        let allowed = handlers.keys.map(\.rawValue).sorted().joined(separator: ", ")
        for method in HTTPRequest.Method.standard {
            let handler =
                handlers[method] ?? { _, _ in
                    throw Refusal(
                        .methodNotAllowed, "method", "This path supports only \(allowed).",
                        headers: [.allow: allowed])
                }
            router.on(RouterPath(path), method: method) { request, context in try await handler(request, context) }
        }
    }

    // MARK: Changes

    private func run<Input>(
        _ action: Action<Input, BoardEvent, BoardError>, _ input: Input, _ context: Context,
        _ status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let event: BoardEvent?
        do throws(ActionError<BoardError>) {
            event = try await action.execute(input)
        } catch {
            if case .producerError(.unacknowledged(let reason)) = error {
                context.logger.error("The cluster has not acknowledged an event.", metadata: ["error": "\(reason)"])
            }
            throw Refusal(error)
        }
        // `nil` if the action was interrupted, as in a hasty shutdown.
        guard let event else { throw Refusal.busy }
        context.logger.info(
            "\(event.kind.rawValue) incident \(event.incident.id)", metadata: ["sequence": "\(event.sequence)"])
        return Response(json: String(board: event), status: status)
    }

    private struct ChangeBody: Decodable {
        var by: String?
        var version: Int?
    }

    private func change(in request: Request, _ context: Context) async throws -> Change {
        guard let id = context.parameters.get("id", as: Int.self), id > 0 else {
            throw Refusal(.notFound, "not-found", "There is no such incident.")
        }
        let body = try await decode(ChangeBody.self, from: request)
        return Change(id: id, by: body.by, version: body.version)
    }

    /// Decodes a JSON body of limited size. Requiring the content type also keeps out forms of other sites, which
    /// cannot send it.
    private func decode<Body: Decodable>(_: Body.Type, from request: Request) async throws -> Body {
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
        }
        do {
            return try JSONDecoder().decode(Body.self, from: Data(bytes.readableBytesView))
        } catch {
            throw Refusal(.badRequest, "malformed", "The body is not JSON, or a field has the wrong type.")
        }
    }

    // MARK: The stream

    private func events(_ request: Request) throws -> Response {
        let after = try lastEvent(of: request)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store", .connection: "close",
                .accelBuffering: "no",
            ],
            body: ResponseBody { writer in
                // A property, not a signal, so that a stream that starts during the shutdown also sees it.
                let isOver = MutableProperty(false)
                let stop = Property(isOver)
                try await withGracefulShutdownHandler {
                    try await request.body.consumeWithInboundCloseHandler { _ in
                        try await feed.send(after: after, to: &writer, until: stop)
                    } onInboundClosed: {
                        isOver.value = true
                    }
                } onGracefulShutdown: {
                    isOver.value = true
                }
                try await writer.finish(nil)
            })
    }

    /// The last event that the client has. Browsers send it in a header when they reconnect, scripts can use the query.
    private func lastEvent(of request: Request) throws -> Int? {
        // A header that is not a number did not come from this server, so the client receives the whole state.
        if let header = request.headers[.lastEventID] { return Int(header) }
        guard let text = request.uri.queryParameters["after"] else { return nil }
        guard let after = Int(text), after >= 0 else {
            throw Refusal(.badRequest, "malformed", "The parameter \"after\" must be the number of an event, or 0.")
        }
        return after
    }
}

extension HTTPField.Name {
    // Never `nil`: the names are valid tokens.
    static var lastEventID: Self { .init("last-event-id")! }
    static var accelBuffering: Self { .init("x-accel-buffering")! }
}
