/// The progress of one target.
package struct Transfer: Equatable, Sendable {
    package enum Stage: Equatable, Sendable {
        /// No request has started.
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
    /// The number of attempts that have started.
    package private(set) var attempts = 0
    /// The bytes received in the current attempt.
    package private(set) var bytes = 0
    package private(set) var length: Int?
    /// The error of the last failed attempt.
    package private(set) var lastError: FetchError?
    private var isRedirected = false

    /// The received share of the length, from 0 to 100; `nil` if the length is unknown. 100 means complete.
    package var percentage: Int? {
        guard let length, length > 0 else { return nil }
        return bytes >= length ? 100 : min(99, Int(Double(bytes) / Double(length) * 100))
    }

    package init(_ target: FetchTarget) { self.target = target }

    package mutating func apply(_ update: FetchUpdate) {
        switch update {
        case .requested:
            // A request that follows a redirect belongs to the same attempt.
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
            bytes = 0
            stage = .pausing
        case .fetched: stage = .fetched
        case .failed(let error):
            bytes = 0
            // The error of an earlier attempt says more than that the run was stopped.
            if error != .stopped || attempts > 0 { stage = .failed(error) }
            lastError = error == .stopped ? lastError : error
        }
    }
}
