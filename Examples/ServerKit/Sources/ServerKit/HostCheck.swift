public import HTTPTypes
public import Hummingbird

/// Refuses requests whose `Host` is missing, repeated, or not a name of this server.
///
/// A foreign page can make its own name resolve to this machine (DNS rebinding). Its scripts then have the same origin
/// as the server, and could use it, but they cannot send any `Host` other than their own name. IP addresses cannot be
/// rebound, so all of them are allowed.
public struct HostCheck<Context: RequestContext>: RouterMiddleware {
    private let hosts: AllowedHosts
    private let refusal: @Sendable (HTTPResponse.Status, _ message: String) -> any Error

    /// - Parameter refusal: Returns the error to throw: with 400 if there is not exactly one `Host`, and with 421 if it
    ///   is a foreign one.
    public init(
        _ hosts: AllowedHosts,
        refusal: @escaping @Sendable (HTTPResponse.Status, _ message: String) -> any Error = {
            HTTPError($0, message: $1)
        }
    ) {
        self.hosts = hosts
        self.refusal = refusal
    }

    /// Calls the next middleware if the host is allowed.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let authority = request.head.authority, !authority.isEmpty else {
            throw refusal(.badRequest, "The request has no Host header.")
        }
        // The first one is the authority, and not among the fields.
        guard let name = HTTPField.Name("host"), request.headers[values: name].isEmpty else {
            throw refusal(.badRequest, "The request has more than one Host header.")
        }
        guard hosts.contains(authority) else {
            throw refusal(.misdirectedRequest, "This server does not accept the host \(authority.prefix(100)).")
        }
        return try await next(request, context)
    }
}

/// The host names that a server accepts.
public struct AllowedHosts: Sendable, Equatable {
    /// In lower case.
    private let names: Set<String>

    /// - Parameter names: Names besides addresses and `localhost`; `*` allows every name. Case is ignored.
    public init(_ names: [String]) { self.names = Set(names.map { Self.normal($0[...]) }) }

    /// - Parameter authority: A name or an address, with or without a port.
    public func contains(_ authority: String) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        if names.contains("*") || Self.isAddress(host) { return true }
        let name = Self.normal(host)
        return name == "localhost" || name.hasSuffix(".localhost") || names.contains(name)
    }

    /// In lower case, and without a dot at the end.
    private static func normal(_ name: Substring) -> String {
        (name.last == "." ? name.dropLast() : name).lowercased()
    }

    /// The host without the port; `nil` if `authority` is malformed.
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
