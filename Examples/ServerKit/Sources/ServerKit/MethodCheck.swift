public import HTTPTypes
public import Hummingbird

/// Refuses requests with a method that no server need know: 501, whatever the path.
///
/// A router knows only the methods of its routes. For any other one it would say that the path does not exist.
public struct MethodCheck<Context: RequestContext>: RouterMiddleware {
    private let refusal: @Sendable (HTTPResponse.Status, _ message: String) -> any Error

    /// - Parameter refusal: Returns the error to throw.
    public init(
        refusal: @escaping @Sendable (HTTPResponse.Status, _ message: String) -> any Error = {
            HTTPError($0, message: $1)
        }
    ) { self.refusal = refusal }

    /// Calls the next middleware if the method is one of HTTP.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard HTTPRequest.Method.standard.contains(request.method) else {
            let name = request.method.rawValue.prefix(20)
            throw refusal(.notImplemented, "This server does not know the method \(name).")
        }
        return try await next(request, context)
    }
}

extension HTTPRequest.Method {
    /// The methods of HTTP. A path answers those that it does not have with 405.
    public static let standard: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]
}
