import Foundation

/// The public symbols of one of our modules, as the compiler sees them.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }
        struct Signature: Decodable { let returns: [Fragment]? }

        let kind: Kind
        let identifier: Identifier
        private let pathComponents: [String]
        let functionSignature: Signature?

        var isMethod: Bool { kind.identifier == "swift.method" || kind.identifier == "swift.type.method" }
        /// Whether it is a member of a protocol extension, repeated for a conforming type.
        var isSynthesized: Bool { identifier.precise.contains("::SYNTHESIZED::") }
        /// The type, then the name in the notation of calls: `["Signal", "take(first:)"]`. The call site, with which a
        /// trap is reported, is left out.
        var path: [String] { pathComponents.map { $0.replacing("file:line:", with: "") } }
        var name: String { path.last ?? "" }
        var returnType: String { (functionSignature?.returns ?? []).map(\.spelling).joined() }
    }

    var symbols: [Symbol]

    /// Extracts the graph from the module that these tests were built with, including its extensions of other modules'
    /// types.
    static func of(_ module: String) throws -> SymbolGraph {
        let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let errors = Pipe()
        let extraction = Process()
        extraction.executableURL = URL(filePath: "/usr/bin/env")
        extraction.arguments = [
            "swift-symbolgraph-extract", "-module-name", module, "-I", products.appending(path: "Modules").path(),
            "-target", "\(machine())-unknown-linux-gnu", "-minimum-access-level", "public",
            "-output-dir", folder.path(),
        ]
        extraction.standardError = errors
        try extraction.run()
        let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        extraction.waitUntilExit()
        guard extraction.terminationStatus == 0 else { throw Failure(message: message) }
        // `Module.symbols.json`, and `Module@Other.symbols.json` for each module whose types it extends.
        var graph = SymbolGraph(symbols: [])
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            graph.symbols += try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file)).symbols
        }
        return graph
    }

    struct Failure: Error {
        let message: String
    }

    private static func machine() -> String {
        #if arch(arm64)
        "aarch64"
        #else
        "x86_64"
        #endif
    }
}
