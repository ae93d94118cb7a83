import Foundation
import TestSupport
import Testing

/// Checks the name tables of the page for users of other libraries: the names that they list for this library must
/// exist.
@Suite("The page on coming from other libraries", .watched)
struct NameTablesTests {
    /// The public names of all modules.
    private struct PublicNames {
        /// The lists of argument labels by name: `take` has `first`, and `last`. The key is the name alone, and the
        /// name with its type: `SignalProducer.attempt`.
        private var labels: [String: [[Substring]]] = [:]

        init() throws {
            let modules = [
                "HotSignals", "ColdProducers", "ReactiveProperties", "ReactiveAsync", "ReactiveActions",
                "ReactiveDiagnostics", "ReactiveServer", "MemoizedSequences", "ReactiveSignalsTesting",
                "ReactiveSignalsFoundation", "ReactiveObservation",
            ]
            for symbol in try PublicSymbol.all(in: modules) {
                guard let name = symbol.path.last else { continue }
                let base = name.prefix(before: "(")
                let all = name.dropFirst(base.count).trimmingPrefix("(").split(separator: ":").filter { $0 != ")" }
                let owner = symbol.path.dropLast().joined(separator: ".")
                for key in ["\(base)", "\(owner).\(base)"] { labels[key, default: []].append(all) }
            }
        }

        var count: Int { labels.count }

        func has(_ name: some StringProtocol, labels written: [Substring] = []) -> Bool {
            // Arguments with defaults may be omitted, so the written labels are a subsequence of all labels.
            labels[String(name), default: []].contains { all in
                var rest = all[...]
                return written.allSatisfy { label in
                    guard let place = rest.firstIndex(of: label) else { return false }
                    rest = rest[(place + 1)...]
                    return true
                }
            }
        }
    }

    /// Names of the standard library, and placeholders for the reader's own names.
    private static let others: Set<Substring> = ["Never", "Duration", "any", "_", "x", "in", "observer", "lifetime"]

    /// Returns what is wrong with a piece of code, or nil if all of its names exist.
    private static func problem(with code: Substring, _ names: PublicNames) -> String? {
        // An operator.
        if code.allSatisfy({ "<~>".contains($0) }) { return names.has(code) ? nil : "there is no operator \(code)" }
        // A declaration: `share(replay:while:)`, `.timer(after:on:)`, `SignalProducer.attempt(_:)`,
        // `SignalProducer(value:)`.
        if let match = code.wholeMatch(of: /(?:([A-Z]\w*)?\.)?(\w+)\(((?:\w+:)+)\)/) {
            let labels = match.3.split(separator: ":")
            let name = match.2.first?.isUppercase == true ? "\(match.2).init" : match.1.map { "\($0).\(match.2)" }
            return names.has(name ?? String(match.2), labels: labels) ? nil : "nothing is called \(code)"
        }
        // Code: checks every word, including those in closures and argument labels.
        for match in code.matches(of: /\w*[A-Za-z_]\w*/) where !others.contains(match.0) {
            let isLabel = code[match.range.upperBound...].hasPrefix(":")
            if isLabel, let call = code.firstMatch(of: /(\w+)\(/), names.has(call.1, labels: [match.0]) { continue }
            if !names.has(match.0) { return "\(code): nothing is called \(match.0)" }
        }
        return nil
    }

    @Test("names only existing symbols in the column \"here\"")
    func names() async throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/ReactiveSignals/ReactiveSignals.docc/ComingFrom.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let names = try await Command.onThread { try PublicNames() }
        #expect(names.count > 200)
        var tables = 0
        var checked = 0
        for line in text.split(separator: "\n") where line.hasPrefix("|") {
            guard let cell = line.split(separator: "|").last?.trimmingPrefix(" ") else { continue }
            if cell.hasPrefix("here") { tables += 1 }
            for code in cell.matches(of: /`([^`]+)`/) {
                checked += 1
                if let problem = Self.problem(with: code.1, names) { Issue.record("\(line): \(problem)") }
            }
        }
        #expect(tables == 4)
        #expect(checked > 120)
    }

    @Test("unknown names are detected")
    func wrongNames() async throws {
        let names = try await Command.onThread { try PublicNames() }
        for right in [
            "skipRepeats()", "share(replay:while:)", "on(next:)", ".timer(after:on:)", "SignalProducer(value:)", "<~>",
            "flatten(.concurrent(limit:))", "map { $0 ?? x }", "@MutableProperty", "take(last: 1)",
        ] {
            #expect(Self.problem(with: right[...], names) == nil, "\(right)")
        }
        for wrong in [
            "distinct()", "share(while:replay:)", "on(value:)", ".timer(after:at:)", "SignalProducer(just:)", "<~~",
            "flatten(.most(limit:))", "map { $0 ?? y }", "@Published", "take(lasts: 1)", "Signal.attempted(_:)",
            "Lifetime.attempt(_:)",
        ] {
            #expect(Self.problem(with: wrong[...], names) != nil, "\(wrong)")
        }
    }
}
