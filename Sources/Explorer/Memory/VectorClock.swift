#if Explore
/// For each thread of an execution, the number of its steps that are known to have happened.
struct VectorClock: Equatable {
    private var steps = SIMD16<UInt32>()

    /// The number of threads that an execution can have.
    static let threadLimit = 16

    subscript(thread: Int) -> UInt32 {
        get { steps[thread] }
        set { steps[thread] = newValue }
    }

    mutating func join(_ other: VectorClock) { steps = pointwiseMax(steps, other.steps) }
}

/// For each location, the oldest store that a thread may still read. Empty without weak memory.
struct View {
    private var stores: [Int32] = []

    subscript(location: Int) -> Int32 {
        get { location < stores.count ? stores[location] : 0 }
        set {
            if location >= stores.count { stores += [Int32](repeating: 0, count: location + 1 - stores.count) }
            stores[location] = newValue
        }
    }

    mutating func join(_ other: View) {
        if other.stores.isEmpty { return }
        for location in other.stores.indices where other.stores[location] > self[location] {
            self[location] = other.stores[location]
        }
    }
}

/// What a thread knows about the others, and passes on with a release.
struct Knowledge {
    var clock = VectorClock()
    var view = View()

    mutating func join(_ other: Knowledge) {
        clock.join(other.clock)
        view.join(other.view)
    }
}
#endif
