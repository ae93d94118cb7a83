/// How long a test waits for a state before it fails: longer than a busy machine needs for any step. A test that passes
/// never waits that long. Scripts/check-waits rejects other limits.
let patience: Duration = .seconds(900)

/// Waits until a condition holds, and returns whether it has become true in time.
func eventually(_ condition: () -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    while !condition() {
        if clock.now >= deadline { return false }
        try await Task.sleep(for: .milliseconds(2))
    }
    return true
}
