/// The limits and delays of a run.
package struct FetchSettings: Sendable {
    /// The maximum number of concurrent requests.
    package var concurrency = 8
    /// The maximum number of concurrent requests to one host.
    package var perHost = 4
    /// The maximum number of retries per target.
    package var retries = 3
    /// The delay before the first retry. Each further delay is twice as long, up to `longestPause`.
    package var pause = Duration.milliseconds(200)
    package var longestPause = Duration.seconds(10)
    /// The share of each delay that is random, so that requests that failed together are not retried together.
    package var jitter = 0.5
    /// How long a server can be silent: no connection, no response, or no more of the body.
    package var timeout = Duration.seconds(30)
    /// How long one target can take, with all attempts, from its first request.
    package var overallTimeout = Duration.seconds(300)
    package var redirects = 10
    /// How long running requests have to finish after the first Ctrl-C.
    package var grace = Duration.seconds(10)

    package init() {}
}
