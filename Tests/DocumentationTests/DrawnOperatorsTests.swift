import Foundation
import Testing

/// Checks that the pages of drawings include every operator, by comparison with the modules' symbol graphs.
@Suite("The pages on operators")
struct DrawnOperatorsTests {
    /// Methods that return streams and are not drawn on the pages.
    private static let others: [String: String] = [
        "applying": "runs an operator of the user's",
        "breakpoint": "changes nothing", "recordEvents": "changes nothing", "tapped": "changes nothing",
        "async": "makes a stream of a task, whose time is not virtual",
        "attempt": "drawn as an operator",
        "deferred": "makes a stream of a closure",
        "lift": "applies what is drawn",
        "logAll": "changes nothing", "logCompleted": "changes nothing", "logError": "changes nothing",
        "logEvents": "changes nothing", "logInterrupted": "changes nothing", "logNext": "changes nothing",
        "mapAsync": "runs tasks, whose time is not virtual",
        "on": "changes nothing",
        "processExit": "is a source of the system's", "readable": "is a source of the system's",
        "unixSignal": "is a source of the system's", "writable": "is a source of the system's",
        "using": "makes a stream of a resource",
    ]

    /// The names of the public methods of signals and producers that return a signal or a producer.
    private static func operators() throws -> Set<String> {
        let symbols = try PublicSymbol.all(in: ["HotSignals", "ColdProducers", "ReactiveProperties", "ReactiveServer"])
        let operators = symbols.filter { symbol in
            ["swift.method", "swift.type.method"].contains(symbol.kind)
                && ["Signal", "SignalProducer"].contains(symbol.path.first)
                && (symbol.type.hasPrefix("Signal<") || symbol.type.hasPrefix("SignalProducer<")
                    || ["Signal", "SignalProducer"].contains(symbol.type))
        }
        return Set(operators.compactMap(\.path.last))
    }

    @Test("draws every operator")
    func complete() async throws {
        let articles = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/ReactiveSignals/ReactiveSignals.docc")
        // The setup of the drawings counts as well: it creates streams that several rows share.
        let labels = try ["BasicOperators.md", "OperatorsOnStreams.md"].flatMap { page in
            try SnippetExtractor.snippets(
                inPage: String(contentsOf: articles.appending(path: page), encoding: .utf8), file: page)
        }
        .filter { $0.use == .marbles }
        .flatMap { try Diagram($0).results.map(\.label) + $0.setup.map(\.text) }
        let names = try await Command.onThread { try Self.operators() }
        #expect(names.count > 80)
        let overloads = Dictionary(grouping: names) { $0.prefix(before: "(") }
        for name in names.sorted() {
            // `take(first:)` is drawn by `.take(first: 2)`, `map(_:)` by `.map { ... }`. A label selects one of
            // several overloads.
            let base = String(name.prefix(before: "("))
            let label = name.dropFirst(base.count + 1).prefix(before: ":")
            let isOne = overloads[name.prefix(before: "(")]?.count == 1 || label == "_" || label == ")"
            let call = isOne ? ".\(base)" : ".\(base)(\(label):"
            let isDrawn = labels.contains { label in
                label.ranges(of: call).contains { range in
                    call.hasSuffix(":") || "( {".contains(label[range.upperBound...].first ?? " ")
                }
            }
            // With a trailing closure the first label is omitted.
            let hasClosure = labels.contains { $0.contains(".\(base) {") }
            #expect(isDrawn || hasClosure || Self.others[base] != nil, "\(name) is not drawn")
        }
    }
}
