/// Finds losses, repetitions and restarts in the messages of a subject.
///
/// Memory is bounded: of more than 1,024 origins it forgets the one that has been silent longest.
@usableFromInline
struct OriginTracker {
    @usableFromInline
    enum Arrival: Equatable {
        /// To be delivered.
        case inOrder
        /// To be delivered, after so many were lost.
        case afterGap(UInt64)
        /// To be delivered, after a change of the incarnation and so many losses of the new one.
        case restarted(lost: UInt64)
        /// Known already, or reported as lost.
        case old
    }

    private struct Known {
        let origin: Origin
        var epoch: UInt64
        /// The last sequence that was delivered or reported as lost.
        var last: UInt64
        /// The other epochs of the origin, with their last sequences. The one that was current last is last.
        ///
        /// Epochs have no order. So a message of one of them that was never seen makes it current again: it may be that
        /// the last message of a former incarnation was late, that the first one of the present incarnation came early,
        /// or that two processes have the same origin. No value is withheld in any of these cases.
        var others: [(epoch: UInt64, last: UInt64)] = []
        var heard: UInt64 = 0
    }

    static let maximumOrigins = 1024
    private static let maximumOthers = 8

    /// The last sequence of the origin that was heard last, which is not in `known` yet, with its id and epoch.
    @usableFromInline private(set) var currentLast: UInt64 = 0
    @usableFromInline private(set) var currentID: UInt64 = 0
    @usableFromInline private(set) var currentEpoch: UInt64 = 0
    /// Whether any origin was heard.
    @usableFromInline private(set) var hasCurrent = false
    private var known: [Known] = []
    private var indices: [Origin: Int] = [:]
    /// The index of the origin that was heard last.
    private var latest = 0
    private var clock: UInt64 = 0

    /// Registers a message if it has the value that follows the last one: the usual case, for which this needs neither
    /// an envelope nor a dictionary.
    ///
    /// - Parameter maximumSize: The largest message that is taken.
    /// - Returns: Whether it has. Otherwise nothing has changed, and the message is to be read.
    @inlinable @inline(__always)
    mutating func takeNext(_ message: UnsafeRawBufferPointer, _ maximumSize: Int) -> Bool {
        guard message.count >= Envelope.size, message.count <= maximumSize, hasCurrent,
            message.loadUnaligned(as: UInt32.self) == Envelope.valueMark,
            message.loadUnaligned(fromByteOffset: 4, as: UInt64.self) == currentID.littleEndian,
            message.loadUnaligned(fromByteOffset: 12, as: UInt64.self) == currentEpoch.littleEndian,
            message.loadUnaligned(fromByteOffset: 20, as: UInt64.self) == (currentLast &+ 1).littleEndian
        else { return false }
        currentLast &+= 1
        return true
    }

    /// Registers a message with a value.
    mutating func value(_ envelope: Envelope) -> Arrival { slowly(envelope, carriesValue: true) }

    /// Registers that an origin has sent a sequence. Nothing is to be delivered for it.
    ///
    /// - Returns: `.afterGap` or `.restarted` with the number of values that were lost, this one included.
    mutating func beacon(_ envelope: Envelope) -> Arrival { slowly(envelope, carriesValue: false) }

    private mutating func slowly(_ envelope: Envelope, carriesValue: Bool) -> Arrival {
        if !known.isEmpty { known[latest].last = currentLast }
        defer {
            currentLast = known[latest].last
            currentID = known[latest].origin.id
            currentEpoch = known[latest].epoch
            hasCurrent = true
        }
        clock &+= 1
        // How many of the values up to this one do not arrive with it.
        let absent: UInt64 = carriesValue ? 1 : 0
        guard let index = indices[envelope.origin] else {
            add(envelope)
            return .inOrder
        }
        latest = index
        known[index].heard = clock
        if known[index].epoch == envelope.epoch {
            guard envelope.sequence > known[index].last else { return .old }
            let lost = envelope.sequence - known[index].last - absent
            known[index].last = envelope.sequence
            return lost == 0 ? .inOrder : .afterGap(lost)
        }
        var last: UInt64 = 0
        if let other = known[index].others.firstIndex(where: { $0.epoch == envelope.epoch }) {
            last = known[index].others[other].last
            guard envelope.sequence > last else { return .old }
            known[index].others.remove(at: other)
        }
        known[index].others.append((known[index].epoch, known[index].last))
        if known[index].others.count > Self.maximumOthers { known[index].others.removeFirst() }
        known[index].epoch = envelope.epoch
        known[index].last = envelope.sequence
        return .restarted(lost: envelope.sequence - min(envelope.sequence, last + absent))
    }

    private mutating func add(_ envelope: Envelope) {
        let new = Known(origin: envelope.origin, epoch: envelope.epoch, last: envelope.sequence, heard: clock)
        if known.count < Self.maximumOrigins {
            latest = known.count
            known.append(new)
        } else {
            latest = known.indices.min { known[$0].heard < known[$1].heard } ?? 0
            indices[known[latest].origin] = nil
            known[latest] = new
        }
        indices[envelope.origin] = latest
    }
}
