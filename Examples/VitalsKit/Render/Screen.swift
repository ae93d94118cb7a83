/// What can change the dashboard.
enum ScreenEvent: Sendable {
    /// The first reading was made, and the first sample is yet to come.
    case began
    case sample(Sample)
    case alert(AlertState)
}

/// All that the dashboard shows, but for its size: the state of a `scan` over the events.
struct Screen: Sendable, Equatable {
    var latest: Sample?
    var samples = 0
    var history = History()
    /// The latest alert changes, the newest first.
    var alertLog: [AlertState] = []

    init() {}

    /// The values that the graphs show, the newest last.
    struct History: Sendable, Equatable {
        var cpu: [Double] = []
        var memory: [Double] = []
        var received: [Double] = []
        var sent: [Double] = []
        var read: [Double] = []
        var written: [Double] = []

        /// More than the columns of a wide screen.
        static let capacity = 1024
    }

    mutating func apply(_ event: ScreenEvent) {
        switch event {
        case .began: break
        case .sample(let sample):
            latest = sample
            samples += 1
            history.append(sample)
        case .alert(let state):
            alertLog = [state] + alertLog.prefix(31)
        }
    }
}

extension Screen.History {
    fileprivate mutating func append(_ sample: Sample) {
        Self.append(sample.cpu.machine.busy, to: &cpu)
        Self.append(sample.memory.share, to: &memory)
        Self.append(sample.network.total.inPerSecond, to: &received)
        Self.append(sample.network.total.outPerSecond, to: &sent)
        Self.append(sample.disk.total.inPerSecond, to: &read)
        Self.append(sample.disk.total.outPerSecond, to: &written)
    }

    private static func append(_ value: Double, to values: inout [Double]) {
        if values.count == capacity { values.removeFirst() }
        values.append(value)
    }
}
