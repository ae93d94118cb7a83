/// How far one target has come.
package struct Transfer: Equatable, Sendable {
    package enum Stage: Equatable, Sendable {
        /// Not begun.
        case untouched
        case requesting
        case receiving
        /// Between two attempts.
        case pausing
        case fetched
        case failed(FetchError)
    }

    package let target: FetchTarget
    package private(set) var stage = Stage.untouched
    /// Attempts that have begun.
    package private(set) var attempts = 0
    /// Bytes of the present attempt's answer.
    package private(set) var bytes = 0
    package private(set) var length: Int?
    /// Why the last attempt failed that did.
    package private(set) var lastError: FetchError?
    private var isRedirected = false

    package init(_ target: FetchTarget) { self.target = target }

    package mutating func apply(_ update: FetchUpdate) {
        switch update {
        case .requested:
            // A request to which a redirect has led belongs to the attempt that was redirected.
            if !isRedirected { attempts += 1 }
            isRedirected = false
            bytes = 0
            length = nil
            stage = .requesting
        case .responded(let length):
            self.length = length
            stage = .receiving
        case .received(let count): bytes += count
        case .redirected:
            isRedirected = true
            stage = .requesting
        case .setBack(let error):
            isRedirected = false
            lastError = error
            stage = .pausing
        case .fetched: stage = .fetched
        case .failed(let error):
            // That it was stopped says less than why it had failed before.
            if error != .stopped || attempts > 0 { stage = .failed(error) }
            lastError = error == .stopped ? lastError : error
        }
    }
}
