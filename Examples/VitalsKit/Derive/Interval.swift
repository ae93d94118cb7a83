/// The time between two readings.
struct Interval: Sendable, Equatable {
    var start: Duration
    var end: Duration

    init(from start: Duration, to end: Duration) {
        self.start = start
        self.end = end
    }

    var seconds: Double { (end - start).seconds }
}
