import HotSignals
import TestSupport
import Testing

@Suite("Duration")
struct DurationTests {
    @Test("returns whole nanoseconds")
    func whole() {
        expect(Duration.zero.nanoseconds, is: 0)
        expect(Duration.nanoseconds(1).nanoseconds, is: 1)
        expect(Duration.microseconds(5).nanoseconds, is: 5_000)
        expect(Duration.milliseconds(1_500).nanoseconds, is: 1_500_000_000)
        expect(Duration.seconds(3_600).nanoseconds, is: 3_600_000_000_000)
    }

    @Test("returns negative nanoseconds")
    func negative() {
        expect(Duration.nanoseconds(-1).nanoseconds, is: -1)
        expect(Duration.milliseconds(-1_500).nanoseconds, is: -1_500_000_000)
    }

    @Test("rounds fractions of a nanosecond toward zero")
    func fractions() {
        expect(Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).nanoseconds, is: 0)
        expect(Duration(secondsComponent: 1, attosecondsComponent: 1_999_999_999).nanoseconds, is: 1_000_000_001)
        expect(Duration(secondsComponent: 0, attosecondsComponent: -999_999_999).nanoseconds, is: 0)
        expect(Duration(secondsComponent: -1, attosecondsComponent: -1_999_999_999).nanoseconds, is: -1_000_000_001)
    }

    @Test("converts durations up to the limits of Int")
    func limits() {
        expect(Duration.nanoseconds(Int64.max).nanoseconds, is: .max)
        expect(Duration.nanoseconds(Int64.max - 1).nanoseconds, is: .max - 1)
        expect((Duration.nanoseconds(Int64.max) + .nanoseconds(1)).nanoseconds, is: .max)
        expect(Duration.nanoseconds(Int64.min).nanoseconds, is: .min)
        expect(Duration.nanoseconds(Int64.min + 1).nanoseconds, is: .min + 1)
        expect((Duration.nanoseconds(Int64.min) - .nanoseconds(1)).nanoseconds, is: .min)
    }

    @Test("clamps durations beyond the limits of Int")
    func beyond() {
        expect(Duration(attoseconds: .max).nanoseconds, is: .max)
        expect(Duration(attoseconds: .min).nanoseconds, is: .min)
        for years in [293, 1_000, 100_000_000_000] {
            expect(Duration.seconds(years * 31_556_952).nanoseconds, is: .max)
            expect(Duration.seconds(-years * 31_556_952).nanoseconds, is: .min)
        }
        expect(Duration.seconds(Int64.max).nanoseconds, is: .max)
        expect(Duration.seconds(Int64.min).nanoseconds, is: .min)
    }

    @Test("round-trips through its attoseconds")
    func attoseconds() {
        expect(Duration.nanoseconds(-3).attoseconds, is: -3_000_000_000)
        for duration in [
            Duration.zero, .seconds(5), .seconds(-5), .nanoseconds(1), .milliseconds(-1_500),
            Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
            Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999),
        ] {
            expect(Duration(attosecondCount: duration.attoseconds), is: duration)
        }
    }
}
