import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// An error response.
struct Refusal: Error, Encodable {
    struct Contents: Encodable {
        /// For programs.
        let code: String
        /// For people.
        let message: String
        /// The problem of each invalid field.
        var fields: [String: String]?
    }

    let error: Contents
    private let status: HTTPResponse.Status
    private let headers: HTTPFields

    private enum CodingKeys: CodingKey {
        case error
    }

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, fields: [String: String]? = nil,
        headers: HTTPFields = [:]
    ) {
        error = Contents(code: code, message: message, fields: fields)
        self.status = status
        self.headers = headers
    }

    /// A refusal after which the client should wait.
    ///
    /// - Parameter delay: Rounded up to seconds, and at least one: with zero, clients would only come back faster.
    init(_ status: HTTPResponse.Status, _ code: String, _ message: String, retryAfter delay: Duration) {
        let (seconds, rest) = delay.components
        let delay = max(1, rest > 0 ? seconds + 1 : seconds)
        self.init(status, code, message, headers: [.retryAfter: "\(delay)"])
    }

    var response: Response {
        var response = Response(json: self, status: status)
        response.headers.append(contentsOf: headers)
        return response
    }
}

extension Response {
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding does not fail: the values contain only texts and integers.
        let bytes = (try? encoder.encode(value)) ?? Data()
        self.init(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// Turns errors into responses.
struct ErrorResponses<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as Refusal {
            return refusal.response
        } catch let error as any HTTPResponseError {
            let message =
                error.status == .notFound
                ? "There is no such path. Measurements go to /measurements." : error.status.reasonPhrase
            return Refusal(error.status, error.status == .notFound ? "not-found" : "refused", message).response
        } catch {
            context.logger.error("A request failed.", metadata: ["error": "\(error)"])
            return Refusal(.internalServerError, "internal", "The server failed. Its log has the reason.").response
        }
    }
}
