/// The kinds of events that can be logged.
public enum LoggingEvent {
    /// The kinds of events of a signal that can be logged.
    public enum Signal: String, CaseIterable, Hashable, Sendable {
        /// A value.
        case next
        /// The failure.
        case error
        /// The completion.
        case completed
        /// The interruption.
        case interrupted
        /// After any of the three terminal events.
        case terminated
        /// When the stream has released its source: after a terminal event, or when it is neither retained nor
        /// observed.
        case disposed

        /// All kinds of events.
        public static var allEvents: Set<Signal> { Set(allCases) }
    }

    /// The kinds of events of a producer that can be logged.
    public enum SignalProducer: String, CaseIterable, Hashable, Sendable {
        /// Before the work starts.
        case starting
        /// When the call that begins the work has returned.
        case started
        /// A value.
        case next
        /// The failure.
        case error
        /// The completion.
        case completed
        /// The interruption.
        case interrupted
        /// After any of the three terminal events.
        case terminated
        /// When the work has ended, or has been disposed of.
        case disposed

        /// All kinds of events.
        public static var allEvents: Set<SignalProducer> { Set(allCases) }
    }
}
