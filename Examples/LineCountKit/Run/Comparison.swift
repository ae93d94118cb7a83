import ExamplesKit

/// How much faster two threads count than one.
struct Comparison: Sendable, CustomStringConvertible {
    let one: Duration
    let two: Duration

    static let rounds = 5

    var ratio: Double { one / two }

    /// Counts the directory several times with either limit, in turn, so that what else the machine does disturbs both alike.
    static func measure(_ directory: String) -> Comparison {
        func time(limit: Int) -> Duration {
            let run = LineCountRun(directory: directory, counting: Counting(limit: limit))
            _ = run.begin(bar: nil)
            return run.report().time
        }
        // The first brings the files into memory.
        _ = time(limit: 2)
        var times: (one: [Duration], two: [Duration]) = ([], [])
        for _ in 0..<rounds {
            times.one.append(time(limit: 1))
            times.two.append(time(limit: 2))
        }
        return Comparison(one: times.one.sorted()[rounds / 2], two: times.two.sorted()[rounds / 2])
    }

    var description: String {
        let (one, two) = (Format.fixed(one / .milliseconds(1)), Format.fixed(two / .milliseconds(1)))
        return "limit 1: \(one) ms, limit 2: \(two) ms, ratio \(Format.fixed(ratio, decimals: 2))"
    }
}
