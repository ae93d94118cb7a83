import Foundation

/// A public declaration, as the compiler describes it in a symbol graph.
struct PublicSymbol {
    /// Such as `swift.method`.
    let kind: String
    /// The name, after those of the types that it is in: `SignalProducer` and `take(first:)`.
    let path: [String]
    /// What a function returns, or the type of a property. Empty for other symbols.
    let type: String

    /// Returns the public symbols of modules, with those in their extensions of other modules' types.
    static func all(in modules: [String]) throws -> [PublicSymbol] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for module in modules {
            _ = try Command.run([
                "swift-symbolgraph-extract", "-module-name", module,
                "-I", Products.folder.appending(path: "Modules").path(), "-target", Products.target,
                "-minimum-access-level", "public", "-output-dir", folder.path(),
            ])
        }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).flatMap {
            file in
            try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)).symbols.map(PublicSymbol.init(_:))
        }
    }

    private init(_ symbol: Graph.Symbol) {
        kind = symbol.kind.identifier
        path = symbol.pathComponents
        if kind.hasSuffix("property") {
            // `static var empty: SignalProducer<Value, Failure> { get }`
            let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
            let type = declaration.firstRange(of: ": ").map { declaration[$0.upperBound...] } ?? ""
            self.type = String(type.prefix { $0 != "{" }).trimmingCharacters(in: .whitespaces)
        } else {
            type = (symbol.functionSignature?.returns ?? []).map(\.spelling).joined()
        }
    }

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Kind: Decodable { let identifier: String }
            struct Fragment: Decodable { let spelling: String }
            struct Signature: Decodable { let returns: [Fragment]? }
            let kind: Kind
            let pathComponents: [String]
            let functionSignature: Signature?
            let declarationFragments: [Fragment]?
        }
        let symbols: [Symbol]
    }
}
