import Foundation
import TestSupport
import Testing

/// Tests `Scripts/new-operator`, in a copy of the files that it changes.
@Suite("A new operator", .watched)
struct NewOperatorTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func swiftFiles(in folder: URL) throws -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0).path() }
    }

    @Test("of each kind compiles as it is written, with its rows in the tables")
    func compiles() async throws {
        let messages = try await Command.onThread {
            let copy = FileManager.default.temporaryDirectory.appending(path: "operator-\(UUID().uuidString)")
            let modules = copy.appending(path: "Modules")
            try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: copy) }
            for path in ["Scripts/new-operator", "Tests/ContractTests", ".swift-format"] {
                let place = copy.appending(path: path)
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.copyItem(at: Self.root.appending(path: path), to: place)
            }
            for kind in ["sync", "timed", "combining", "flattening"] {
                let script = copy.appending(path: "Scripts/new-operator").path()
                let output = try Command.run([script, "every\(kind.capitalized)", kind])
                #expect(output.errors == "")
                #expect(output.text.hasPrefix("Wrote Sources/"), "\(output.text)")
            }

            // As the modules of this build were compiled, so that their `package` declarations are visible.
            let options =
                ["swiftc", "-whole-module-optimization", "-parse-as-library"]
                + ["-package-name", Self.root.lastPathComponent.lowercased()]
                + ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].flatMap {
                    ["-enable-upcoming-feature", $0]
                } + ["-I", modules.path()] + Products.options
            // The new files of HotSignals are compiled as a part of the module that depends on it: that is fast enough.
            // Under names of their own, because a module has no two files with the same name.
            let signals = try Self.swiftFiles(in: copy.appending(path: "Sources/Signals")).map { file in
                let renamed = copy.appending(path: "Signals-\(URL(filePath: file).lastPathComponent)")
                let code = try String(contentsOfFile: file, encoding: .utf8)
                try "public import HotSignals\n\(code)".write(to: renamed, atomically: true, encoding: .utf8)
                return renamed.path()
            }
            let producers =
                try Self.swiftFiles(in: Self.root.appending(path: "Sources/Producers"))
                + Self.swiftFiles(in: copy.appending(path: "Sources/Producers"))
            #expect(signals.count == 3)
            let library = try Command.run(
                options + ["-emit-module", "-module-name", "ColdProducers"]
                    + ["-o", modules.appending(path: "ColdProducers.swiftmodule").path()] + signals + producers)
            let tables = try Command.run(
                options + ["-typecheck", "-module-name", "ContractTests"]
                    + Self.swiftFiles(in: copy.appending(path: "Tests/ContractTests")))
            return library.errors + tables.errors
        }
        #expect(messages == "")
    }
}
