import AsyncAlgorithms
import ReactiveSignals

/// Many tasks consume one source: through a signal, and through `share` of swift-async-algorithms.
///
///     swift run -c release --package-path Benchmarks Multicast
///
/// Prints a row per case. The source has all of its values at once, and each consumer adds up what it receives. A slow
/// consumer sleeps for 0.1 ms after each value.
@main
struct Multicast {
    static let values = 2_000

    /// The buffer of each consumer, or the one that all share.
    enum Buffer: CaseIterable {
        case wait, newest, unbounded

        var ours: BufferingPolicy {
            switch self {
            case .wait: .suspending(16)
            case .newest: .newest(16)
            case .unbounded: .unbounded
            }
        }

        var theirs: AsyncBufferSequencePolicy {
            switch self {
            case .wait: .bounded(16)
            case .newest: .bufferingLatest(16)
            case .unbounded: .unbounded
            }
        }
    }

    /// What a consumer has received, and when it was done.
    struct Receipt: Sendable {
        var count = 0
        var time = Duration.zero
    }

    static func main() async {
        print("| buffer | tasks | of them slow | signal: fast, slow | `share`: fast, slow |\n|---|---|---|---|---|")
        for buffer in Buffer.allCases {
            for (fast, slow) in [(1, 0), (10, 0), (100, 0), (10, 1)] {
                let ours = await median { await signal(buffer, fast, slow) }
                let theirs = await median { await share(buffer, fast, slow) }
                print("| \(buffer) | \(fast + slow) | \(slow) | \(ours) | \(theirs) |")
            }
        }
    }

    /// The run of five whose fast consumers took the median time.
    static func median(_ run: @Sendable () async -> (fast: [Receipt], slow: [Receipt])) async -> String {
        var runs: [(fast: [Receipt], slow: [Receipt])] = []
        for _ in 0..<5 { runs.append(await run()) }
        runs.sort { ($0.fast.map(\.time).max() ?? .zero) < ($1.fast.map(\.time).max() ?? .zero) }
        let (fast, slow) = runs[2]
        let last = slow.map { ", \(text($0.time, $0.count))" }.joined()
        return text(fast.map(\.time).max() ?? .zero, fast.map(\.count).reduce(0, +) / fast.count) + last
    }

    static func text(_ time: Duration, _ count: Int) -> String {
        "\(Double(Int(time / .microseconds(10))) / 100) ms, \(count) values"
    }

    static func signal(_ buffer: Buffer, _ fast: Int, _ slow: Int) async -> (fast: [Receipt], slow: [Receipt]) {
        if buffer == .wait {
            let (numbers, input) = Signal<Int, Never>.pipe(capacity: 16)
            return await consume((0..<fast + slow).map { _ in numbers.values(buffering: buffer.ours) }, slow) {
                for number in 0..<values { _ = await input.send(number) }
                input.sendCompleted()
            }
        }
        let (numbers, input) = Signal<Int, Never>.pipe()
        return await consume((0..<fast + slow).map { _ in numbers.values(buffering: buffer.ours) }, slow) {
            for number in 0..<values { input.sendNext(number) }
            input.sendCompleted()
        }
    }

    static func share(_ buffer: Buffer, _ fast: Int, _ slow: Int) async -> (fast: [Receipt], slow: [Receipt]) {
        let (stream, input) = AsyncStream<Int>.makeStream()
        let shared = stream.share(bufferingPolicy: buffer.theirs)
        return await consume(Array(repeating: shared, count: fast + slow), slow) {
            for number in 0..<values { input.yield(number) }
            input.finish()
        }
    }

    /// - Parameter slow: How many of the consumers are slow: the last ones.
    static func consume<Source: AsyncSequence & Sendable>(
        _ sources: [Source], _ slow: Int, _ send: @escaping @Sendable () async -> Void
    ) async -> (fast: [Receipt], slow: [Receipt]) where Source.Element == Int, Source.Failure == Never {
        let clock = ContinuousClock()
        let fast = sources.count - slow
        let tasks = sources.enumerated().map { number, source in
            Task { () -> (count: Int, end: ContinuousClock.Instant) in
                var (count, sum) = (0, 0)
                for await value in source {
                    count += 1
                    sum &+= value
                    if number >= fast { try? await Task.sleep(for: .microseconds(100)) }
                }
                return (count, clock.now)
            }
        }
        // All consumers wait for the first value.
        try? await Task.sleep(for: .milliseconds(50))
        let start = clock.now
        await send()
        var receipts: [Receipt] = []
        for task in tasks {
            let (count, end) = await task.value
            receipts.append(Receipt(count: count, time: start.duration(to: end)))
        }
        return (Array(receipts.prefix(fast)), Array(receipts.suffix(slow)))
    }
}
