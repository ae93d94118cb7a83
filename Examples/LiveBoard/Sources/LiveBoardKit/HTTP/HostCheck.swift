import HTTPTypes
import Hummingbird

/// Answers only requests that name a host of this board.
///
/// A page of somebody else's can have its own name lead to this machine (DNS rebinding). Its scripts would then be of the same origin
/// as the board, and could read and change it. What they cannot do is send another `Host` than their own name. An address cannot
/// be made to lead elsewhere, so every address will do.
struct HostCheck<Context: RequestContext>: RouterMiddleware {
    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let authority = request.head.authority, !authority.isEmpty else {
            throw Refusal(.badRequest, "host", "A request has to name its host.")
        }
        guard hosts.contains(authority) else {
            let name = authority.prefix(100)
            throw Refusal(
                .misdirectedRequest, "host",
                "This board does not go by the name \(name). If it should: start it with --allow-host NAME.")
        }
        return try await next(request, context)
    }
}

/// The names that a server goes by.
package struct AllowedHosts: Sendable, Equatable {
    /// In lower case.
    private let names: Set<String>

    /// - Parameter names: Beside addresses and `localhost`; `*` for any. Upper and lower case are the same.
    package init(_ names: [String]) { self.names = Set(names.map { Self.normal($0[...]) }) }

    /// - Parameter authority: A name or an address, with or without a port.
    package func contains(_ authority: String) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        if names.contains("*") || Self.isAddress(host) { return true }
        let name = Self.normal(host)
        return name == "localhost" || name.hasSuffix(".localhost") || names.contains(name)
    }

    /// A dot at the end changes nothing.
    private static func normal(_ name: Substring) -> String {
        (name.last == "." ? name.dropLast() : name).lowercased()
    }

    /// Without the port; nil for what makes no sense.
    private static func host(of authority: String) -> Substring? {
        let port: Substring
        let host: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
            port = authority[authority.index(after: end)...]
        } else {
            let end = authority.firstIndex(of: ":") ?? authority.endIndex
            host = authority[..<end]
            port = authority[end...]
        }
        guard port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return host.isEmpty ? nil : host
    }

    private static func isAddress(_ host: Substring) -> Bool {
        if host.first == "[" {
            return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.allSatisfy(\.isNumber) }
    }
}
