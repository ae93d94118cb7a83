/// How to fetch.
package struct FetchSettings: Sendable {
    /// How many requests may be under way at the same time.
    package var concurrency = 8
    /// How many of them with the same host.
    package var perHost = 4
    /// How often a failed attempt is repeated.
    package var retries = 3
    /// The pause before the first repetition; each further one is twice as long.
    package var pause = Duration.milliseconds(200)
    package var longestPause = Duration.seconds(10)
    /// The share of each pause that is left to chance, so that what failed together does not come back together.
    package var jitter = 0.5
    /// How long a server may be silent: no connection, no answer, no more of the body.
    package var timeout = Duration.seconds(30)
    /// How long an address may take in all, from its first request on.
    package var overallTimeout = Duration.seconds(300)
    package var redirects = 10
    /// How long what is under way may go on after the first Ctrl-C.
    package var grace = Duration.seconds(10)

    package init() {}
}
