import Foundation
import TestSupport
import Testing

/// Tests `Renamed`, which tells the compiler the names of other libraries for the API of this one.
@Suite("The names of other libraries", .watched)
struct OldNamesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The diagnostics for all lines, and the lines after the compiler's fix-its.
    private static let outcome = Task { try await Command.onThread { try OldNamesOutcome(of: OldName.all) } }

    @Test("produce a message that names the replacement and nothing else")
    func names() async throws {
        let outcome = try await Self.outcome.value
        #expect(OldName.all.count > 180)
        for (number, row) in OldName.all.enumerated() {
            let messages = outcome.messages[number] ?? []
            // The compiler reports a name twice if it sees it twice, as in `some P`.
            let names = messages.map {
                $0.wholeMatch(of: /'.+' (?:is unavailable: )?has been (?:renamed to|replaced by) '(.+?)'(?:, .*)?/)?.1
                    ?? ""
            }
            #expect(Set(names) == Set(row.names.map { $0[...] }), "\(row.code): \(messages)")
        }
        #expect(outcome.messages[nil] == nil, "there is something wrong with what the lines are about")
    }

    @Test("are replaced by fix-its wherever the arguments are the same")
    func fixes() async throws {
        let outcome = try await Self.outcome.value
        for (number, row) in OldName.all.enumerated() {
            let fixed = try outcome.fixed(number)
            if row.isFixed {
                #expect(fixed == row.now)
            } else {
                #expect(fixed != row.now, "it need not be written by hand")
            }
        }
    }

    @Test("are replaced by code that compiles")
    func compiles() async throws {
        let messages = try await Command.onThread { try OldNamesOutcome.check(OldName.all.map(\.now)) }
        for message in messages where message.kind == "error" {
            let code = message.row.map { OldName.all[$0].now } ?? "the setup"
            Issue.record("\(code): \(message.text)")
        }
    }

    @Test("do not affect messages about mistakes in our own names")
    func mistakes() async throws {
        let messages = try await Command.onThread { try OldNamesOutcome.check(OldName.mistakes.map(\.code)) }
        for (number, mistake) in OldName.mistakes.enumerated() {
            let said = messages.filter { $0.row == number && $0.kind == "error" }.map(\.text)
            #expect(said == [mistake.message], "\(mistake.code)")
        }
    }

    @Test("are all tested, including every declaration")
    func coverage() async throws {
        let outcome = try await Self.outcome.value
        var declarations = 0
        for path in [
            "Sources/ReactiveSignals/Renamed/HotSignals.swift", "Sources/ReactiveSignals/Renamed/ColdProducers.swift",
            "Sources/ReactiveSignals/Renamed/ReactiveProperties.swift",
            "Sources/ReactiveSignals/Renamed/ReactiveAsync.swift",
            "Sources/ReactiveSignals/Renamed/ReactiveActions.swift", "Sources/SignalsTesting/Renamed.swift",
        ] {
            let lines = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.contains("public ") && !line.contains("import ") {
                guard line.contains(/\b(func|init|var|typealias|class|struct|enum)\b/) else { continue }
                declarations += 1
                #expect(
                    lines[index - 1].contains(
                        /@available\(\*, unavailable, (renamed: "|message: "has been replaced by ')/),
                    "\(path):\(index + 1) is available")
                #expect(
                    outcome.declarations.contains("\(path):\(index + 1)"),
                    "\(path):\(index + 1) is not tried: \(line.trimmingCharacters(in: .whitespaces))")
            }
        }
        #expect(declarations > 160)
    }

    @Test("do not conflict with the same names in an extension or another module")
    func harmless() async throws {
        let messages = try await Command.onThread {
            let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let other = folder.appending(path: "Other.swift")
            try """
            public struct PassthroughSubject<Output, Failure: Error> { public init() {} }
            public protocol Publisher<Output, Failure> { associatedtype Output; associatedtype Failure: Error }
            public struct Just<Output>: Publisher { public typealias Failure = Never; public init(_ output: Output) {} }
            public struct Maybe {}
            @propertyWrapper public struct Published<Value> {
                public var wrappedValue: Value
                public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
            }
            """.write(to: other, atomically: true, encoding: .utf8)
            let module = try Command.run([
                "swiftc", "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name", "Other",
                "-o", folder.appending(path: "Other.swiftmodule").path(), other.path(),
            ])
            let client = folder.appending(path: "Client.swift")
            try """
            import Observation
            import Other
            import ReactiveSignals
            @Observable final class Model { var count = 0 }
            struct Users { @Published var count = 0 }
            func take(_ publisher: some Publisher<Int, Never>) {}
            func use() -> (PassthroughSubject<Int, Never>, Maybe?) { take(Just(1)); return (PassthroughSubject(), nil) }
            extension SignalProducerConvertible {
                func distinctUntilChanged() -> SignalProducer<Value, Failure> { producer }
            }
            extension Signal { func toArray() -> Int { 0 } }
            func use(_ signal: Signal<Int, Never>) -> Int { _ = signal.distinctUntilChanged(); return signal.toArray() }
            """.write(to: client, atomically: true, encoding: .utf8)
            let use = try Command.run(
                ["swiftc", "-typecheck", "-I", folder.path()] + Products.options + [client.path()])
            return module.errors + use.errors
        }
        #expect(messages == "")
    }
}

/// The compiler's diagnostics for lines of code, each in a separate function.
struct OldNamesOutcome {
    struct Message {
        let kind: String
        /// The line of code, or nil for the setup.
        let row: Int?
        let text: String
    }

    private let codes: [String]
    /// The messages by the number of the line of code.
    private(set) var messages: [Int?: [String]] = [:]
    /// The locations of unavailable declarations: file and line.
    private(set) var declarations: Set<String> = []
    private var edits: [Int: Set<Edit>] = [:]

    private struct Edit: Hashable {
        let start: Int
        let end: Int
        let text: String
    }

    init(of rows: [OldName]) throws {
        codes = rows.map(\.code)
        let found = try Self.check(codes)
        for message in found where message.kind == "error" { messages[message.row, default: []].append(message.text) }
        for message in found where message.kind == "declared" { declarations.insert(message.text) }

        // The compiler prints complete fix-its only when it compares them with expected ones.
        let expecting = codes.enumerated().map { number, code in
            code + (messages[number] ?? []).map { " // expected-error {{\($0)}} {{1-1=?}}" }.joined()
        }
        for message in try Self.check(expecting, verify: true) {
            guard let row = message.row, let seen = message.text.firstMatch(of: /actual fix-its? seen: (.*)/)?.1 else {
                continue
            }
            for edit in seen.matches(of: /\{\{(\d+)-(\d+)=(.*?)\}\}/) {
                guard let start = Int(edit.1), let end = Int(edit.2) else { continue }
                edits[row, default: []].insert(Edit(start: start - 1, end: end - 1, text: String(edit.3)))
            }
        }
    }

    /// The line of code with all fix-its applied.
    func fixed(_ row: Int) throws -> String {
        var text = Array(codes[row].utf8)
        var end = text.count
        // Applied from the last to the first, so that positions remain valid. Overlapping fix-its refer to each
        // other's text.
        for edit in edits[row, default: []].sorted(by: { ($0.start, $0.end) > ($1.start, $1.end) }) {
            guard edit.start <= edit.end, edit.end <= end else { return "fix-its that overlap" }
            text.replaceSubrange(edit.start..<edit.end, with: edit.text.utf8)
            end = edit.start
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Compiles the lines of code. A note about the location of a declaration is a message of the kind `declared`.
    static func check(_ codes: [String], verify: Bool = false) throws -> [Message] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "OldNames.swift")
        var text = OldName.setup + "\n"
        var rows: [Int: Int] = [:]
        for (number, code) in codes.enumerated() {
            text += "func row\(number)() {\n\(code)\n}\n"
            rows[text.utf8.count { $0 == UInt8(ascii: "\n") } - 1] = number
        }
        try text.write(to: file, atomically: true, encoding: .utf8)
        // Uses the frontend, as the driver cannot verify.
        let output = try Command.run(
            ["swiftc", "-frontend", verify ? "-typecheck" : "-emit-sil", "-o", "/dev/null", "-parse-as-library"]
                + (verify ? ["-verify"] : []) + Products.frontendOptions + ["-diagnostic-style", "llvm", file.path()])
        return output.errors.split(separator: "\n").compactMap { line in
            if let note = line.firstMatch(of: #/(Sources/\w+/Renamed(?:/\w+)?\.swift:\d+):\d+: note: /#) {
                return Message(kind: "declared", row: nil, text: String(note.1))
            }
            guard let match = line.wholeMatch(of: #/.*/OldNames\.swift:(\d+):\d+: (\w+): (.*)/#) else { return nil }
            return Message(kind: String(match.2), row: Int(match.1).flatMap { rows[$0] }, text: String(match.3))
        }
    }
}

extension Products {
    /// ``options`` without those of the driver.
    fileprivate static var frontendOptions: [String] {
        options.filter {
            !$0.hasPrefix("-sanitize") && !$0.hasPrefix("-profile") && $0 != "-continue-building-after-errors"
        }
    }
}
