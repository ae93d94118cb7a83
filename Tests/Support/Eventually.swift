/// Whether a condition becomes true. Does not block the thread, which tasks of the library may need.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async -> Bool {
    let deadline = ContinuousClock.now + patience
    var looks = 0
    while !condition() {
        if ContinuousClock.now > deadline { return false }
        looks += 1
        if looks < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
    return true
}
