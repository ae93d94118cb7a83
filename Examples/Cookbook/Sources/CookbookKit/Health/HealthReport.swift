package import Foundation

/// The status of every check at one moment.
package struct HealthReport: Sendable {
    package var checks: [(name: String, status: HealthStatus)]

    package var isHealthy: Bool { checks.allSatisfy { $0.status == .passing } }

    /// One line per check, for people.
    package var text: String {
        checks.map { "\($0.name): \($0.status)\n" }.joined()
    }

    /// The same for programs.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(self)
    }
}

extension HealthStatus: CustomStringConvertible {
    package var description: String {
        switch self {
        case .passing: "ok"
        case .failing(let reason): reason
        }
    }
}

extension HealthReport: Encodable {
    private enum Key: CodingKey {
        case status
        case checks
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(isHealthy ? "ok" : "failing", forKey: .status)
        let pairs = checks.map { ($0.name, $0.status.description) }
        try container.encode(Dictionary(pairs, uniquingKeysWith: { first, _ in first }), forKey: .checks)
    }
}
