package import HotSignals

/// What ``GraphRegistry`` stores about an object, besides the object.
package struct GraphRecord: Sendable {
    /// When the object was created: see ``GraphRegistry/now``.
    let since: Int
    /// The name that the user gave to a start.
    package var label: Label?
    /// Where a start was begun or an observer was added.
    var location = CodeLocation.unknown
    /// The address of the object that this one belongs to or consists of. 0 if there is none. Never dereferenced,
    /// because that object may be gone.
    package var partner: UInt = 0
    /// How often threads that run tasks have waited for the object, and for how many microseconds at most.
    private(set) var taskWaits: (count: UInt32, longest: UInt32) = (0, 0)
    /// The number of the node, and in the lowest bit ``isStart``.
    private var bits: UInt64

    package init(
        id: UInt64, since: Int, label: Label? = nil, at location: CodeLocation = .unknown
    ) {
        bits = id << 1
        self.since = since
        self.label = label
        self.location = location
    }

    /// - Parameter duration: In nanoseconds.
    mutating func addTaskWait(_ duration: Int) {
        taskWaits.count = max(taskWaits.count, taskWaits.count &+ 1)
        taskWaits.longest = max(taskWaits.longest, UInt32(clamping: duration / 1000))
    }

    /// The number of the node.
    package var id: UInt64 { bits >> 1 }

    /// Whether the object sends the events of a start.
    package var isStart: Bool {
        get { bits & 1 != 0 }
        set { bits = bits & ~1 | (newValue ? 1 : 0) }
    }
}
