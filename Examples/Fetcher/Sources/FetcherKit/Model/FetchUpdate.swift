/// What becomes of a target.
package enum FetchUpdate: Hashable, Sendable {
    /// A request is being sent.
    case requested(WebAddress)
    /// An answer that is welcome has begun; its length, if the server tells it.
    case responded(length: Int?)
    case received(bytes: Int)
    /// The answer was that it is somewhere else.
    case redirected(WebAddress)
    /// An attempt has failed. Another one may follow.
    case setBack(FetchError)
    /// The end: all of it is there.
    case fetched
    /// The end: it could not be had.
    case failed(FetchError)

    package var isEnd: Bool {
        switch self {
        case .fetched, .failed: true
        default: false
        }
    }
}

/// An update, and whose it is.
package struct TargetUpdate: Hashable, Sendable {
    package let target: FetchTarget
    package let update: FetchUpdate

    package init(_ target: FetchTarget, _ update: FetchUpdate) {
        self.target = target
        self.update = update
    }
}
