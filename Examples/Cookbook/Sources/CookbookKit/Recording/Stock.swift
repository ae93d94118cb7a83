package import Foundation
package import ReactiveSignals
import ReactiveSignalsFoundation

/// Goods that came into the warehouse, or left it.
package struct Movement: Codable, Sendable {
    package var article: String
    /// Negative if they left it.
    package var count: Int

    package init(article: String, count: Int) {
        self.article = article
        self.count = count
    }
}

/// The stock of a warehouse, from what its scanners report.
package final class Stock: Sendable {
    /// The number of each article.
    package let levels: Property<[String: Int]>
    private let recorder = EventRecorder()

    package init(_ movements: Signal<Movement, Never>) {
        levels = Property(
            initial: [:],
            then: movements.named("movements").recordEvents(to: recorder)
                .scan(into: [:]) { levels, movement in
                    levels[movement.article, default: 0] += movement.count
                })
    }

    /// Records the movements from now on.
    package func record(to file: URL) throws(SystemError) {
        try recorder.start(writingTo: file, upTo: .bytes(50_000_000))
    }

    /// Ends the recording. Returns how many movements it has.
    package func endRecording() async -> Int? { await recorder.finish()?.events }

    /// Sends the articles of which more has left the warehouse than was there, whenever they change.
    package func alarms(on scheduler: some DelayScheduler) -> SignalProducer<[String], Never> {
        levels.producer
            .map { levels in levels.filter { $0.value < 0 }.keys.sorted() }
            .skipRepeats()
            // A scanner can report a delivery later than what is taken from it.
            .debounce(.seconds(10), on: scheduler)
            .filter { !$0.isEmpty }
    }
}
