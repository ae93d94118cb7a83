import Foundation

/// Parses the header in which a server says when to retry.
enum RetryAfter {
    /// The delay; `nil` if the header is missing or malformed.
    ///
    /// - Parameters:
    ///   - value: A number of seconds, or a date.
    ///   - date: The `Date` header of the same response. A date in `value` is relative to it, because the clock of the
    ///     server can be wrong.
    ///   - now: Replaces `date` if that is missing or malformed.
    static func pause(_ value: String?, date: String?, now: Date = Date()) -> Duration? {
        guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
        if value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            return .seconds(min(Int(value) ?? longest, longest))
        }
        guard let then = parse(value) else { return nil }
        let seconds = then.timeIntervalSince(date.flatMap(parse) ?? now)
        return .seconds(min(max(seconds.rounded(.up), 0), Double(longest)))
    }

    /// A year, in seconds.
    private static let longest = 365 * 86_400

    /// A date in one of the three formats of HTTP.
    static func parse(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
