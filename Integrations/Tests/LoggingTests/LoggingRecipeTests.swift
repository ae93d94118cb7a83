import InMemoryLogging
import Logging
import ReactiveSignals
import ReactiveSignalsLogging
import Testing

/// The recipe of the README.
private func logged(
    _ orders: SignalProducer<Int, Never>, of tenant: String, to logger: Logger
) -> SignalProducer<Int, Never> {
    var levels = StreamLogger.Levels()
    levels.begins = .info
    levels.completed = .info
    levels.value = nil
    let tap = StreamLogger(
        logger, levels: levels, sampling: .init(oneStreamIn: 100)
    ) { _ in ["tenant": "\(tenant)"] }
    return orders.named("orders").tapped(by: tap)
}

@Suite("The recipe for logs")
struct LoggingRecipeTests {
    @Test("logs one start in a hundred, with its tenant")
    func orders() {
        let handler = InMemoryLogHandler()
        let logger = Logger(label: "shop") { _ in handler }
        let orders = logged(SignalProducer(1...3), of: "7", to: logger)
        for _ in 0..<200 { orders.start() }
        #expect(handler.entries.map { "\($0.message)" } == ["begins", "completed", "begins", "completed"])
        #expect(handler.entries.allSatisfy { $0.metadata["tenant"] == "7" })
    }
}
