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
    /// Bytes of the present attempt's answer: those of an attempt that failed are gone.
    package private(set) var bytes = 0
    package private(set) var length: Int?
    /// Why the last attempt failed that did.
    package private(set) var lastError: FetchError?
    private var isRedirected = false

    /// How much of the length is there, from 0 to 100; nil if the length is not known. It is 100 only when all of it is.
    package var percentage: Int? {
        guard let length, length > 0 else { return nil }
        return bytes >= length ? 100 : min(99, Int(Double(bytes) / Double(length) * 100))
    }

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
            bytes = 0
            stage = .pausing
        case .fetched: stage = .fetched
        case .failed(let error):
            bytes = 0
            // That it was stopped says less than why it had failed before.
            if error != .stopped || attempts > 0 { stage = .failed(error) }
            lastError = error == .stopped ? lastError : error
        }
    }
}
