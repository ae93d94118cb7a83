import Hummingbird
import NIOCore

/// A request's context, with the client that has sent it.
struct ClientContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address without the port, so that a client cannot have more by opening more connections.
    let address: String

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? ""
    }
}
