import ExamplesKit

/// How much faster two threads count than one.
struct Comparison: Sendable, CustomStringConvertible {
    let one: Duration
    let two: Duration

    static let rounds = 9

    var ratio: Double { one / two }

    /// Counts the directory several times with either limit, in turn, and takes the fastest: what else the machine does
    /// can only make a count slower.
    static func measure(_ directory: String, _ selection: Selection) -> Comparison {
        func time(limit: Int) -> Duration {
            let run = LineCountRun(
                directory: directory, selection: selection, counting: Counting(limit: limit))
            _ = run.begin(bar: nil)
            return run.report().time
        }
        // The first brings the files into memory.
        _ = time(limit: 2)
        var fastest = Comparison(one: time(limit: 1), two: time(limit: 2))
        for _ in 1..<rounds {
            fastest = Comparison(one: min(fastest.one, time(limit: 1)), two: min(fastest.two, time(limit: 2)))
        }
        return fastest
    }

    var description: String {
        let (one, two) = (Format.fixed(one / .milliseconds(1)), Format.fixed(two / .milliseconds(1)))
        return "limit 1: \(one) ms, limit 2: \(two) ms, ratio \(Format.fixed(ratio, decimals: 2))"
    }
}
