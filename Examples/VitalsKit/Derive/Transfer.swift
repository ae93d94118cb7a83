/// The bytes that moved in and out of something during an interval: received and sent, read and written.
struct Transfer: Sendable, Equatable {
    var bytesIn: Double
    var bytesOut: Double
    var seconds: Double

    init(bytesIn: Double, bytesOut: Double, seconds: Double) {
        self.bytesIn = bytesIn
        self.bytesOut = bytesOut
        self.seconds = seconds
    }

    var inPerSecond: Double { seconds > 0 ? bytesIn / seconds : 0 }
    var outPerSecond: Double { seconds > 0 ? bytesOut / seconds : 0 }
}

extension Transfer {
    /// What moved while two counters grew.
    ///
    /// If either of them fell, the device was replaced by another of its name, whose counters say nothing about this
    /// interval.
    init(in counterIn: (UInt64, UInt64), out counterOut: (UInt64, UInt64), over interval: Interval) {
        let isSameDevice = counterIn.0 <= counterIn.1 && counterOut.0 <= counterOut.1
        self.init(
            bytesIn: isSameDevice ? increase(from: counterIn.0, to: counterIn.1) : 0,
            bytesOut: isSameDevice ? increase(from: counterOut.0, to: counterOut.1) : 0,
            seconds: interval.seconds)
    }

    static func sum(_ transfers: some Sequence<Transfer>, over interval: Interval) -> Transfer {
        transfers.reduce(into: Transfer(bytesIn: 0, bytesOut: 0, seconds: interval.seconds)) { sum, transfer in
            sum.bytesIn += transfer.bytesIn
            sum.bytesOut += transfer.bytesOut
        }
    }
}
