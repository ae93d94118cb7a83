import Foundation
import Testing

@testable import FetcherKit

@Suite("The header Retry-After")
struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)  // 1994-11-06 08:49:37 GMT

    @Test(
        "is a number of seconds, or a date in any format of HTTP",
        arguments: [
            ("120", Duration.seconds(120)), (" 0 ", .zero), ("Sun, 06 Nov 1994 08:50:07 GMT", .seconds(30)),
            ("Sunday, 06-Nov-94 08:50:07 GMT", .seconds(30)), ("Sun Nov  6 08:50:07 1994", .seconds(30)),
            // A time in the past needs no delay.
            ("Sun, 06 Nov 1994 08:00:00 GMT", .zero), ("99999999999999999999999", .seconds(365 * 86_400)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(365 * 86_400)),
        ])
    func values(_ value: String, _ expected: Duration) {
        #expect(RetryAfter.pause(value, date: nil, now: now) == expected)
    }

    @Test(
        "is ignored if it makes no sense", arguments: [nil, "", "soon", "-5", "1.5", "Sun, 06 Nov", "+7"] as [String?])
    func nonsense(_ value: String?) {
        #expect(RetryAfter.pause(value, date: nil, now: now) == nil)
    }

    @Test("is relative to the server's clock if the response has a date")
    func clocks() {
        let (value, date) = ("Sun, 06 Nov 1994 08:50:07 GMT", "Sun, 06 Nov 1994 08:49:57 GMT")
        #expect(RetryAfter.pause(value, date: date, now: now) == .seconds(10))
        #expect(RetryAfter.pause(value, date: "now", now: now) == .seconds(30))
        #expect(RetryAfter.pause("5", date: date, now: now) == .seconds(5))
    }
}
