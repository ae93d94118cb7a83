import HTTPTypes
package import Hummingbird
package import ReactiveServer
import ReactiveSignals

/// Refuses the requests of a client that sends too many.
package struct RateLimit<Context: RequestContext>: RouterMiddleware {
    private let limiter: RateLimiter.Keyed<String>
    private let client: @Sendable (Request, Context) -> String

    /// - Parameter client: Returns the sender of a request, such as the account of its token.
    package init(
        _ limiter: RateLimiter.Keyed<String>, client: @escaping @Sendable (Request, Context) -> String
    ) {
        self.limiter = limiter
        self.client = client
    }

    package func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let client = client(request, context)
        if limiter.tryAcquire(for: client) { return try await next(request, context) }
        return .refusing(.tooManyRequests, retryAfter: limiter.delay(for: client))
    }
}

extension Response {
    /// A response that says when to come back.
    ///
    /// - Parameter delay: Rounded up to seconds.
    static func refusing(_ status: HTTPResponse.Status, retryAfter delay: Duration) -> Response {
        let (seconds, rest) = delay.components
        return Response(status: status, headers: [.retryAfter: "\(rest > 0 ? seconds + 1 : max(seconds, 1))"])
    }
}
