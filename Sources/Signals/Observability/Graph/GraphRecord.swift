/// What ``GraphRegistry`` stores about an object, besides the object.
@usableFromInline
package struct GraphRecord: @unchecked Sendable {
    // Sendable: the counter is atomic.
    /// When the object was created: see ``GraphRegistry/time(of:)``. The size of an instant is known only at run time.
    package let since: Duration
    /// The name that the user gave to a start.
    package var label: Label?
    /// The address of the object that this one belongs to or consists of. 0 if there is none. Never dereferenced,
    /// because that object may be gone.
    package var partner: UInt = 0
    /// Counts the values. Read only while the object is retained. `nil` if they are not counted.
    let counter: UnsafePointer<ValueCounter>?
    /// The number of the node, and in the lowest bit whether it is a start.
    private var bits: UInt64

    init(id: UInt64, since: Duration, label: Label? = nil, counter: UnsafePointer<ValueCounter>? = nil) {
        bits = id << 1
        self.counter = counter
        self.since = since
        self.label = label
    }

    /// The number of the node.
    package var id: UInt64 { bits >> 1 }

    /// Whether the object sends the events of a start.
    package var isStart: Bool {
        get { bits & 1 != 0 }
        set { bits = bits & ~1 | (newValue ? 1 : 0) }
    }
}
