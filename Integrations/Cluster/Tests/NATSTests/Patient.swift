import ClusterTestSupport
import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs.
    static var patient: TimeLimitTrait { .timeLimit(.minutes(Int(patience / .seconds(60)))) }
}
