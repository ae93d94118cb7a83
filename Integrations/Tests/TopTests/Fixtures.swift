import Foundation
import ReactiveDiagnostics
import ReactiveSignals
import TopProtocol
import TopViewer

/// Snapshots as they arrive from a server.
enum Fixture {
    /// - Parameters:
    ///   - kind: The kind, or the name of a signal.
    static func node(
        _ id: UInt64, _ kind: String, _ name: String? = nil, age: Double = 1, file: String? = nil,
        changes: UInt64? = nil, parents: [UInt64] = [], depth: Int? = nil, limit: Int? = nil, waiting: Int? = nil,
        delivers: Double? = nil
    ) throws -> [String: Any] {
        var node: [String: Any] = [
            "id": id, "kind": name == nil ? "signal" : kind, "name": name ?? kind, "age": try duration(age),
            "parents": parents,
        ]
        if let file { (node["fileID"], node["line"]) = (file, 7) }
        if let changes { node["changes"] = changes }
        if let depth {
            var buffer: [String: Any] = ["depth": depth]
            buffer["limit"] = limit
            node["buffer"] = buffer
        }
        if let waiting {
            var gate: [String: Any] = ["owner": 0x7f10, "waiting": waiting]
            gate["duration"] = try delivers.map(duration)
            node["gate"] = gate
        }
        return node
    }

    private static func duration(_ seconds: Double) throws -> Any {
        try JSONSerialization.jsonObject(with: JSONEncoder().encode(Duration.seconds(seconds)))
    }

    static func picture(
        time: Double, warnings: [(node: UInt64, text: String)] = [], _ nodes: [[String: Any]]
    ) throws -> TopProtocol.Picture {
        let warnings = warnings.map {
            ["kind": "deliversLong", "node": $0.node, "description": $0.text] as [String: Any]
        }
        let object: [String: Any] = [
            "nodes": nodes, "waits": [Any](), "warnings": warnings, "time": time, "total": nodes.count,
        ]
        return try TopProtocol.decode(from: JSONSerialization.data(withJSONObject: object))
    }

    static func model(_ pictures: TopProtocol.Picture...) -> TopModel {
        var model = TopModel(TopProtocol.Greeting(process: 42, program: "shop", hasValues: false))
        for picture in pictures { model.receive(picture) }
        return model
    }
}
