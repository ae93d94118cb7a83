public import Hummingbird

/// Removes the body of each response to HEAD, also of an error, and keeps its length in the header.
///
/// A client does not expect a body after HEAD. It would read one as the beginning of the next response of the
/// connection. Add this before all other middleware, so that it sees what they respond.
public struct HeadResponses<Context: RequestContext>: RouterMiddleware {
    /// Creates the middleware.
    public init() {}

    /// Calls the next middleware.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .head else { return try await next(request, context) }
        let response: Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        }
        return response.createHeadResponse()
    }
}
