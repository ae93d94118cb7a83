import HotSignals
import TestSupport
import Testing

@Suite("Duration")
struct DurationTests {
    @Test("has its whole nanoseconds")
    func whole() {
        expect(Duration.zero.nanoseconds, is: 0)
        expect(Duration.nanoseconds(1).nanoseconds, is: 1)
        expect(Duration.microseconds(5).nanoseconds, is: 5_000)
        expect(Duration.milliseconds(1_500).nanoseconds, is: 1_500_000_000)
        expect(Duration.seconds(3_600).nanoseconds, is: 3_600_000_000_000)
    }

    @Test("has negative ones")
    func negative() {
        expect(Duration.nanoseconds(-1).nanoseconds, is: -1)
        expect(Duration.milliseconds(-1_500).nanoseconds, is: -1_500_000_000)
    }

    @Test("drops what is less than a nanosecond, towards zero")
    func fractions() {
        expect(Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).nanoseconds, is: 0)
        expect(Duration(secondsComponent: 1, attosecondsComponent: 1_999_999_999).nanoseconds, is: 1_000_000_001)
        expect(Duration(secondsComponent: 0, attosecondsComponent: -999_999_999).nanoseconds, is: 0)
        expect(Duration(secondsComponent: -1, attosecondsComponent: -1_999_999_999).nanoseconds, is: -1_000_000_001)
    }

    @Test("goes as far as an Int, on both sides")
    func limits() {
        expect(Duration.nanoseconds(Int64.max).nanoseconds, is: .max)
        expect(Duration.nanoseconds(Int64.max - 1).nanoseconds, is: .max - 1)
        expect((Duration.nanoseconds(Int64.max) + .nanoseconds(1)).nanoseconds, is: .max)
        expect(Duration.nanoseconds(Int64.min).nanoseconds, is: .min)
        expect(Duration.nanoseconds(Int64.min + 1).nanoseconds, is: .min + 1)
        expect((Duration.nanoseconds(Int64.min) - .nanoseconds(1)).nanoseconds, is: .min)
    }

    @Test("is the longest or the shortest when it is beyond that")
    func beyond() {
        for years in [293, 1_000, 100_000_000_000] {
            expect(Duration.seconds(years * 31_556_952).nanoseconds, is: .max)
            expect(Duration.seconds(-years * 31_556_952).nanoseconds, is: .min)
        }
        expect(Duration.seconds(Int64.max).nanoseconds, is: .max)
        expect(Duration.seconds(Int64.min).nanoseconds, is: .min)
    }

    @Test("has its attoseconds, all of them, and is made of them again")
    func attoseconds() {
        expect(Duration.nanoseconds(-3).attosecondCount, is: -3_000_000_000)
        for duration in [
            Duration.zero, .seconds(5), .seconds(-5), .nanoseconds(1), .milliseconds(-1_500),
            Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
            Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999),
        ] {
            expect(Duration(attosecondCount: duration.attosecondCount), is: duration)
        }
    }
}
