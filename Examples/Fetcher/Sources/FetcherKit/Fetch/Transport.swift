package import NIOCore
package import ReactiveSignals

/// Sends a request at each start, and then the answer part by part, its head first.
///
/// It completes when the body has; disposing of the start breaks the request off. What is sent after a part waits until that part
/// has been dealt with, so a slow reader slows the server down instead of filling the memory.
package typealias Transport = @Sendable (WebAddress) -> SignalProducer<ResponsePart, FetchError>

/// A part of an answer.
package enum ResponsePart: Hashable, Sendable {
    case head(status: Int, length: Int?, location: String?, retryAfter: Duration? = nil)
    case body(ByteBuffer)
}
