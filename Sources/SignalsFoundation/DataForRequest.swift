public import ColdProducers
public import Foundation
import HotSignals

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// A producer that performs a request at each start, and sends the body and the response.
    ///
    /// ```swift
    /// let page = URLSession.shared.data(for: request)
    ///     .attemptMap { data, response throws(URLError) in
    ///         guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    ///         return String(decoding: data, as: UTF8.self)
    ///     }
    ///     .retry(upTo: 2)
    /// ```
    ///
    /// The whole body is held in memory.
    ///
    /// **Termination**: completes after the value. Fails with a `URLError` if there is no response, for example because
    /// the connection is refused, is lost, or times out as the request says. **An HTTP status is not an error**: a 404
    /// is a value, whose response is an `HTTPURLResponse`.
    ///
    /// **Threads**: events are sent on the delegate queue of the session, so an observer that blocks delays the other
    /// requests of the session.
    ///
    /// **Disposal** interrupts immediately, and cancels the request. The session closes the connection of a request
    /// that was cancelled before its end. It keeps idle connections for later requests: see `URLSessionConfiguration`.
    ///
    /// On Linux, a request without a response is cancelled about one second after its disposal if the session has a
    /// `urlCache`, as `URLSession.shared` has. Otherwise Foundation could end the process, because it does not expect a
    /// cancellation while it searches the cache. To cancel immediately, use a session whose configuration has no
    /// `urlCache`.
    ///
    /// **Overload**: Foundation has an async method of the same name. With `await` it is called, and without `await`
    /// this one. One case needs your help: in an async function, the compiler prefers the async method if the result is
    /// only stored. State the type there:
    ///
    /// ```swift
    /// func load() async {
    ///     let page: SignalProducer<(Data, URLResponse), URLError> = URLSession.shared.data(for: request)
    ///     page.startWithResult { print($0) }
    /// }
    /// ```
    ///
    /// - Parameter request: The request. As with `dataTask(with:)`, a start traps if the session has been invalidated.
    public func data(for request: URLRequest) -> SignalProducer<(Data, URLResponse), URLError> {
        let work = SignalProducer<(Data, URLResponse), URLError>(cancellableCallback: { completion in
            let cancellation = Cancellation(of: self)
            let task = self.dataTask(with: request) { data, response, error in
                cancellation.finish()
                if let error { return completion(.failure(URLError(reporting: error))) }
                guard let response else { return completion(.failure(URLError(.badServerResponse))) }
                completion(.success((data ?? Data(), response)))
            }
            task.resume()
            return { cancellation.cancel(task) }
        }).work
        return SignalProducer(StreamName("data(for:)"), work)
    }
}

extension URLError {
    /// The error itself, or an unknown error that contains it.
    fileprivate init(reporting error: any Error) {
        self = error as? URLError ?? URLError(.unknown, userInfo: [NSUnderlyingErrorKey: error])
    }
}

/// Cancels a task, at a time when that is safe.
///
/// The Foundation of Linux ends the process in two cases: if a task is cancelled while the cache of its session is
/// searched, and if the state that a cancellation sets overwrites the one after the call of the handler.
private final class Cancellation: Sendable {
    /// How long the end of one search can be later than that of another, which began after it.
    private static let margin = DispatchTimeInterval.seconds(1)

    /// The cache that is searched before the request.
    private let cache: URLCache?
    private let hasFinished = Locked(false)

    init(of session: URLSession) {
        #if canImport(FoundationNetworking)
        cache = session.configuration.urlCache
        #else
        cache = nil
        #endif
    }

    /// Called first by the handler of the task. Waits for a cancellation in progress.
    func finish() { hasFinished.withLock { $0 = true } }

    func cancel(_ task: URLSessionDataTask) {
        guard let cache, task.response == nil else { return cancelNow(task) }
        // There is no way to know when the search has ended, and it can wait for a thread for any time. So search
        // again: this waits at least as long.
        cache.getCachedResponse(for: task) { _ in
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.margin) { self.cancelNow(task) }
        }
    }

    private func cancelNow(_ task: URLSessionTask) {
        #if canImport(FoundationNetworking)
        // Under the lock, which calls no code of the user's: what the session then does, it does on its queues.
        hasFinished.withLock { if !$0 { task.cancel() } }
        #else
        task.cancel()
        #endif
    }
}
