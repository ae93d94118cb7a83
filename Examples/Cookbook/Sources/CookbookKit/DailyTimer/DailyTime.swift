package import Foundation

/// A time of day in a time zone.
package struct DailyTime: Sendable {
    private let hour: Int
    private let minute: Int
    private let calendar: Calendar

    package init(hour: Int, minute: Int = 0, in zone: TimeZone) {
        self.hour = hour
        self.minute = minute
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The next occurrence. Each day has one: the first one if the time comes twice, and the end of the gap if it does
    /// not come at all.
    package func next(after date: Date) -> Date {
        // Day by day, because `nextDate(after:matching:)` would also find the second one.
        var day = calendar.startOfDay(for: date)
        while true {
            if let occurrence = calendar.date(bySettingHour: hour, minute: minute, second: 0, of: day),
                occurrence > date
            {
                return occurrence
            }
            guard let nextDay = calendar.date(byAdding: .day, value: 1, to: day) else { return .distantFuture }
            day = nextDay
        }
    }
}
