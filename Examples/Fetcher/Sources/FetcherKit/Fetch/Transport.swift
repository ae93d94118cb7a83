package import NIOCore
package import ReactiveSignals

/// Sends one request per start, and emits the response in parts, the head first.
///
/// Completes after the body. Disposing of the start cancels the request. Each part waits until the previous one has
/// been processed, so a slow reader slows the server down instead of filling memory.
package typealias Transport = @Sendable (WebAddress) -> SignalProducer<ResponsePart, FetchError>

/// A part of a response.
package enum ResponsePart: Hashable, Sendable {
    case head(status: Int, length: Int?, location: String?, retryAfter: Duration? = nil)
    case body(ByteBuffer)
}
