import ExamplesKit
import ReactiveSignals

/// The parts of a server, as far as they depend on the configuration.
enum Components {
    /// A line from each component in the beginning, and one whenever what it needs has changed.
    static func lines(_ configuration: Property<Configuration>) -> SignalProducer<String, Never> {
        let mostRequests = configuration.map(\.limits.requestsPerSecond)
        let mostWorkers = configuration.map(\.workers.upperBound)
        return .merge(
            line("listener", configuration.map(\.port)) { "port \($0)" },
            line("logger", configuration.map(\.logLevel)) { "level \($0)" },
            line("uploads", configuration.map(\.limits.bodyBytes)) { "up to \(Format.count($0, "byte"))" },
            line("workers", configuration.map(\.workers)) { "\($0.lowerBound) to \($0.upperBound)" },
            // If both change it is one change: derived properties have no glitches.
            line("limiter", mostRequests.combineLatest(with: mostWorkers).map { $0 / $1 }) {
                "\($0) requests/s per worker"
            })
    }

    private static func line<Part: Equatable & Sendable>(
        _ name: String, _ part: Property<Part>, _ text: @escaping @Sendable (Part) -> String
    ) -> SignalProducer<String, Never> {
        part.skipRepeats().producer
            .map { text($0) as String? }
            .combinePrevious(nil)
            .map { former, text in
                let change = former.map { " (was: \($0))" } ?? ""
                return "\(name): \(text ?? "")\(change)"
            }
    }
}
