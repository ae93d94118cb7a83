import ExamplesKit
import ReactiveSignals

/// The counting as a producer: work that begins at each start, on threads of its own.
struct Counting: Sendable {
    var counter = FileCounter(table: .standard)
    /// How many files are read and counted at the same time.
    var limit: Int
    /// How often a file is tried again that cannot be read for the moment.
    var retries = 10
    var retryInterval = Duration.milliseconds(100)

    /// Sends what has been counted so far, whenever there is more.
    ///
    /// The walk goes on while files are counted: each batch is an inner producer, and `flatMap` sees to it that no more
    /// than `limit` are at work. Disposing stops each of them after the file that it is at.
    ///
    /// - Parameter found: Gets the number of files found so far.
    func tallies<Batches: Sequence & Sendable>(
        of batches: Batches, found: @escaping @Sendable (_ files: Int) -> Void = { _ in }
    ) -> SignalProducer<Tally, Never> where Batches.Element == Batch {
        let lanes = Lanes()
        return SignalProducer(batches)
            .on(next: { found($0.files.count) })
            .start(on: QueueScheduler(name: "linecount.walk"))
            .flatMap(.concurrent(limit: limit)) { tally(of: $0, on: lanes) }
            .scan(into: Tally()) { $0.add($1) }
    }

    /// One value per batch rather than per file: what threads share costs more than what they do alone.
    private func tally(of batch: Batch, on lanes: Lanes) -> SignalProducer<Tally, Never> {
        .deferred {
            let scheduler = lanes.take()
            return SignalProducer(batch.files)
                .flatMap(.concat) { count(of: $0, on: scheduler) }
                .reduce(into: Tally(batch)) { $0.add($1) }
                .start(on: scheduler)
                // Before the end goes on, and with it the next batch begins: that goes to the same thread, which is
                // awake.
                .on(terminated: { lanes.give(scheduler) })
        }
    }

    /// The count fails only with what is worth another attempt.
    private func count(of file: SourceFile, on scheduler: QueueScheduler) -> SignalProducer<FileCount, Never> {
        SignalProducer.attempt { () throws(System.Failure) in try counter.count(file) }
            .retry(upTo: retries, interval: retryInterval, on: scheduler)
            .flatMapError { SignalProducer(value: .skipped(SkippedFile(path: file.path, $0))) }
    }
}

/// Schedulers that no batch is at work on: as many as there are batches in progress at most.
private final class Lanes: Sendable {
    private let free = Locked<[QueueScheduler]>([])

    func take() -> QueueScheduler { free.withLock { $0.popLast() } ?? QueueScheduler(name: "linecount.batch") }
    func give(_ scheduler: QueueScheduler) { free.withLock { $0.append(scheduler) } }
}
