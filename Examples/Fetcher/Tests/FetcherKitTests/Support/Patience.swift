/// How long a test waits for a state before it fails: longer than a busy machine needs for any step. A test that passes
/// never waits that long. Scripts/check-waits rejects other limits.
let patience: Duration = .seconds(900)
