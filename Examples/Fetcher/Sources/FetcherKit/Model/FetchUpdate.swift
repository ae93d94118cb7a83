/// One step of fetching a target.
package enum FetchUpdate: Hashable, Sendable {
    /// A request is being sent.
    case requested(WebAddress)
    /// A response with a successful status has begun; its length, if the server announces it.
    case responded(length: Int?)
    case received(bytes: Int)
    /// The server redirected the request to this URL.
    case redirected(WebAddress)
    /// An attempt has failed. Another one follows, unless the run is stopped or the time is up.
    case setBack(FetchError)
    /// The last update: the response is complete.
    case fetched
    /// The last update: the target has failed.
    case failed(FetchError)

    package var isEnd: Bool {
        switch self {
        case .fetched, .failed: true
        default: false
        }
    }
}

/// An update and its target.
package struct TargetUpdate: Hashable, Sendable {
    package let target: FetchTarget
    package let update: FetchUpdate

    package init(_ target: FetchTarget, _ update: FetchUpdate) {
        self.target = target
        self.update = update
    }
}
