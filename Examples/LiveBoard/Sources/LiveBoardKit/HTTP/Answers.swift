import HTTPTypes
import Hummingbird
import NIOCore
import ReactiveSignals
import ReactiveSignalsPrometheus

/// An error response.
struct Refusal: Error, Encodable, Equatable {
    struct Contents: Encodable, Equatable {
        /// For programs.
        let code: String
        /// For people.
        let message: String
        /// The problem of each invalid field.
        var fields: [String: String]?
        /// The current incident, if the request conflicts with it.
        var incident: Incident?
    }

    let error: Contents
    var status: HTTPResponse.Status = .badRequest
    var headers: HTTPFields = [:]

    private enum CodingKeys: CodingKey {
        case error
    }

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, fields: [String: String]? = nil,
        incident: Incident? = nil, headers: HTTPFields = [:]
    ) {
        error = Contents(code: code, message: message, fields: fields, incident: incident)
        self.status = status
        self.headers = headers
    }

    init(_ error: ActionError<BoardError>) {
        switch error {
        case .disabled: self = .busy
        case .producerError(.invalid(let fields)):
            self.init(.unprocessableContent, "invalid", "Some fields are not valid.", fields: fields)
        case .producerError(.notFound(let id)):
            self.init(.notFound, "not-found", "There is no incident \(id).")
        case .producerError(.conflict(let reason, let incident)):
            self.init(.conflict, "conflict", reason, incident: incident)
        case .producerError(.storage):
            // The reason is only in the log.
            self.init(
                .internalServerError, "storage",
                "The change was not made, because the server could not save it. The server's log has the reason.")
        case .producerError(.unacknowledged):
            self.init(
                .serviceUnavailable, "unacknowledged",
                "The servers of the cluster have not confirmed the change. See whether it appears before you repeat it.",
                headers: [.retryAfter: "1"])
        }
    }

    /// Too many requests are waiting, or the server is shutting down.
    static let busy = Refusal(
        .serviceUnavailable, "busy", "The board is too busy for this change. Try again in a second.",
        headers: [.retryAfter: "1"])

    var response: Response {
        var response = Response(json: String(board: self), status: status)
        response.headers.append(contentsOf: headers)
        return response
    }
}

extension Response {
    init(metrics: PrometheusMetrics) {
        self.init(
            status: .ok,
            headers: [.contentType: PrometheusMetrics.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text())))
    }

    init(json: String, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json)))
    }
}
