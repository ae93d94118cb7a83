import Testing

/// How long a test waits for a state before it fails: longer than a busy machine needs for any step. A test that passes
/// never waits that long. Scripts/check-waits rejects other limits.
let patience: Duration = .seconds(900)

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs.
    static var patient: TimeLimitTrait { .timeLimit(.minutes(Int(patience / .seconds(60)))) }
}
