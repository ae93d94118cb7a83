import Dispatch

/// Whether a condition becomes true. Does not block the thread, which tasks of the library may need.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async -> Bool {
    let deadline = Deadline()
    var looks = 0
    while !condition() {
        if deadline.hasPassed { return condition() }
        looks += 1
        if looks < 100 { await Task.yield() } else { await pause(isolation: isolation) }
    }
    return true
}

/// Lets other threads have the processor. Unlike a sleeping task, it does not need Swift's pool.
private func pause(isolation: isolated (any Actor)?) async {
    await withCheckedContinuation(isolation: isolation) { continuation in
        // check-waits: `eventually` waits for a state.
        queue.asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
    }
}

private let queue = DispatchQueue(label: "eventually")
