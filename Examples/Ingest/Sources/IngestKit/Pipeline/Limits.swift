/// What the server limits.
package struct Limits: Sendable {
    /// How many measurements a client can send per period, and at once.
    package var rate = 100
    package var period = Duration.seconds(1)
    /// How many clients the limiter remembers.
    package var clients = 100_000
    /// How many measurements can be accepted and not yet saved. More are refused.
    package var queue = 2_000
    /// How many measurements are written in one transaction.
    package var batch = 500
    /// How long the first measurement of a batch waits for others.
    package var delay = Duration.milliseconds(20)

    package init() {}
}
