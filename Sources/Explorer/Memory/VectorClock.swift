#if Explore
/// For each thread of an execution, the number of its steps that are known to have happened.
struct VectorClock: Equatable {
    private var steps: [UInt32] = []

    subscript(thread: Int) -> UInt32 {
        get { thread < steps.count ? steps[thread] : 0 }
        set {
            if thread >= steps.count { steps += [UInt32](repeating: 0, count: thread + 1 - steps.count) }
            steps[thread] = newValue
        }
    }

    mutating func join(_ other: VectorClock) {
        for thread in other.steps.indices where other.steps[thread] > self[thread] {
            self[thread] = other.steps[thread]
        }
    }
}

/// For each location, the oldest store that a thread may still read.
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
