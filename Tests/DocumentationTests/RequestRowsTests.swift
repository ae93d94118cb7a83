import Foundation
import Testing

/// Checks that `Scripts/check-requests` counts every operator and source, by comparison of the committed rows with the
/// modules' symbol graphs.
@Suite("The rows of requests")
struct RequestRowsTests {
    /// Public names without a row.
    private static let others: [String: String] = [
        "unixSignal(_:)": "waits for the system", "processExit(pid:)": "waits for the system",
        "readable(fileDescriptor:)": "waits for the system", "writable(fileDescriptor:)": "waits for the system",
        "DuplexSession.inbound": "is a part of a connection",
        "SignalProducerConvertible.producer": "is what types implement",
        "PropertyProtocol.producer": "is what types implement",
        "PropertyForwarding.producer": "is another property's",
    ]

    /// The public names of what makes a producer: methods and properties of producers without their type, and those of
    /// other types with it.
    private static func names() throws -> Set<String> {
        let modules = ["HotSignals", "ColdProducers", "ReactiveProperties", "ReactiveActions", "ReactiveServer"]
        let makers = try PublicSymbol.all(in: modules).filter { symbol in
            switch symbol.kind {
            case "swift.init": return symbol.path.first == "SignalProducer"
            case "swift.method", "swift.type.method", "swift.property", "swift.type.property":
                // A tuple contains a producer.
                return symbol.type.hasPrefix("SignalProducer<") || symbol.type == "SignalProducer"
                    || symbol.type.hasPrefix("Connection<")
                    || symbol.type.hasPrefix("(") && symbol.type.contains("SignalProducer<")
            default: return false
            }
        }
        return Set(
            makers.map { symbol in
                let path = symbol.path.first == "SignalProducer" ? symbol.path.dropFirst() : symbol.path[...]
                return path.joined(separator: ".")
            })
    }

    /// The rows of operators and sources in the committed counts.
    private static func rows() throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Benchmarks/requests.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        guard let title = lines.firstIndex(of: "# Operators and sources") else { return [] }
        // `zip(_:_:)     20600   28`
        return lines[(title + 1)...].compactMap { line in
            line.wholeMatch(of: /(.*\S)\s+\d+\s+\d+/).map { String($0.1) }
        }
    }

    /// Returns what is wrong with the rows and the reasons.
    private static func problems(rows: [String], others: Set<String>, names: Set<String>) -> [String] {
        // Variants of a name follow it: `flatMap(_:raising:_:), .merge`.
        let counted = Set(rows.map { row in String(row[..<(row.firstRange(of: ", ")?.lowerBound ?? row.endIndex)]) })
        return names.subtracting(counted).subtracting(others).map { "\($0) has no row" }
            + counted.subtracting(names).map { "nothing is called \($0), which has a row" }
            + others.subtracting(names).map { "nothing is called \($0), which has a reason" }
            + others.intersection(counted).map { "\($0) has a row and a reason for having none" }
            + Dictionary(grouping: rows) { $0 }.filter { $1.count > 1 }.map { "there are several rows \($0.key)" }
    }

    @Test("include every operator and source")
    func complete() async throws {
        let names = try await Command.onThread { try Self.names() }
        #expect(names.count > 200)
        for problem in Self.problems(rows: try Self.rows(), others: Set(Self.others.keys), names: names).sorted() {
            Issue.record("\(problem)")
        }
    }

    @Test("that are missing or wrong are detected")
    func wrongRows() {
        func problems(_ rows: [String], _ others: Set<String> = ["c"]) -> [String] {
            Self.problems(rows: rows, others: others, names: ["a(_:)", "b", "c"])
        }
        #expect(problems(["a(_:), one", "a(_:), another", "b"]) == [])
        #expect(problems(["a(_:)"]) == ["b has no row"])
        #expect(problems(["a(_:)", "b"], []) == ["c has no row"])
        #expect(problems(["a(_:)", "b", "d, e"]) == ["nothing is called d, which has a row"])
        #expect(problems(["a(_:)", "b"], ["c", "d"]) == ["nothing is called d, which has a reason"])
        #expect(problems(["a(_:)", "b", "c"]) == ["c has a row and a reason for having none"])
        #expect(problems(["a(_:)", "b", "b"]) == ["there are several rows b"])
    }
}
