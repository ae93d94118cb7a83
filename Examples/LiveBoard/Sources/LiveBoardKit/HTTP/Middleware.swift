import HTTPTypes
import Hummingbird
import Logging

/// The outermost middleware of ours: turns errors into responses, adds the common headers, and logs each request.
///
/// Hummingbird gives each request an id, and adds it to all log entries of the request. The response has the same id.
struct Envelope<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var response: Response
        do {
            response = try await next(request, context)
        } catch let refusal as Refusal {
            response = refusal.response
        } catch let error as any HTTPResponseError {
            response = Refusal(error.status, "refused", error.status.reasonPhrase).response
        } catch {
            context.logger.error("A request failed.", metadata: ["error": "\(error)"])
            response =
                Refusal(
                    .internalServerError, "internal",
                    "The server failed. Its log has the reason, with the id in the header x-request-id."
                ).response
        }
        for field in Self.headers where response.headers[field.name] == nil { response.headers.append(field) }
        // The id is missing if the log handler discards metadata.
        response.headers[Self.requestID] = context.logger[metadataKey: "hb.request.id"]?.description
        context.logger.info(
            "\(request.method) \(request.uri.path)",
            metadata: [
                "status": "\(response.status.code)", "microseconds": "\((ContinuousClock.now - start).microseconds)",
            ])
        return response
    }

    private static var requestID: HTTPField.Name { .init("x-request-id")! }  // Never `nil`: the name is a valid token.

    /// Allows only the page's own scripts, styles and connections, and no frames around it.
    private static var headers: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in [
            (
                "content-security-policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
            ),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
        ] {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }
}

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
