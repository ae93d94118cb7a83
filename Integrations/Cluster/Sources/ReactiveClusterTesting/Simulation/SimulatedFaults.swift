/// What a simulated network does to what it carries.
public struct SimulatedFaults: Sendable {
    /// The probability that a message, a request or an answer is lost.
    public var loss = 0.0
    /// The probability that one arrives twice.
    public var duplication = 0.0
    /// How long one travels.
    public var delay: ClosedRange<Duration> = .milliseconds(1) ... .milliseconds(1)
    /// Whether one may overtake another one.
    public var reorders = false
    /// How long a client takes to notice that its connection is lost, and to connect again.
    public var reconnect: ClosedRange<Duration> = .milliseconds(50) ... .milliseconds(500)
    /// How long a client waits for an answer of the servers.
    public var timeout = Duration.seconds(2)

    /// Creates a network without faults, on which everything takes a millisecond.
    public init() {}

    /// A network with all faults: 5 % losses, 5 % repetitions, and delays of up to 40 milliseconds.
    public static var all: SimulatedFaults {
        var faults = SimulatedFaults()
        faults.loss = 0.05
        faults.duplication = 0.05
        faults.delay = .microseconds(200) ... .milliseconds(40)
        faults.reorders = true
        return faults
    }
}
