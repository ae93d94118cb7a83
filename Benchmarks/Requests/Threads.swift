// What a row takes when two threads run it beside each other. Scripts/check-requests --threads runs this.

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The repetitions of a row by one thread.
private final class Repetitions: @unchecked Sendable {
    // Sendable: the thread writes `seconds`, and the main thread reads it when that one has ended.
    private let row: RepeatedRow
    private let count: Int
    private(set) var seconds = 0.0

    init(_ row: RepeatedRow, _ count: Int) {
        self.row = row
        self.count = count
    }

    func run() {
        let begin = Self.processorTime
        row.run(count)
        seconds = Self.processorTime - begin
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Returns the processor time of one repetition, when a number of threads each do as many.
private func processorTime(_ row: RepeatedRow, _ count: Int, threads: Int) -> Double {
    let all = (0..<threads).map { _ in Repetitions(row, count) }
    let threads = all.map { repetitions in
        let argument = Unmanaged.passUnretained(repetitions).toOpaque()
        #if canImport(Glibc)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                argument.map { Unmanaged<Repetitions>.fromOpaque($0).takeUnretainedValue().run() }
                return nil
            }, argument)
        return thread
        #else
        var thread: pthread_t?
        pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Repetitions>.fromOpaque(argument).takeUnretainedValue().run()
                return nil
            }, argument)
        return thread!
        #endif
    }
    for thread in threads { pthread_join(thread, nil) }
    return all.map(\.seconds).reduce(0, +) / Double(all.count * count)
}

/// Prints, for each row, the processor time of a repetition by each of two threads, divided by that by one thread: the
/// medians of several rounds, in which the two take turns.
func compareThreads(_ rows: [RepeatedRow]) {
    for row in rows {
        // Long enough that the two threads run beside each other.
        let count = max(1, Int(0.05 / processorTime(row, 1_000, threads: 1)))
        var (alone, together): ([Double], [Double]) = ([], [])
        for _ in 0..<9 {
            alone.append(processorTime(row, count, threads: 1))
            together.append(processorTime(row, count, threads: 2))
        }
        let percent = (together.sorted()[4] / alone.sorted()[4] * 100).rounded()
        print("\(Int(percent)) %", row.name)
    }
}
