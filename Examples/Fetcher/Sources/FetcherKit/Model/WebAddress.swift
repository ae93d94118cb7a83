package import Foundation

/// An address that can be fetched: `http` or `https`, and a host.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    package let url: URL
    /// In small letters: what the limit per host goes by.
    package let host: String

    /// Nil for what is no such address.
    ///
    /// One with a user name is none either: nothing would send it, and it would end up on the screen.
    package init?(_ text: String) {
        guard let url = URL(string: text) else { return nil }
        self.init(url)
    }

    private init?(_ url: URL) {
        guard var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil
        else { return nil }
        // A server never sees the fragment, so two addresses that differ in it alone are one.
        parts.fragment = nil
        // In one way of writing, so that the same address is found to be the same.
        parts.scheme = scheme
        parts.host = host
        if parts.path.isEmpty { parts.path = "/" }
        guard let whole = parts.url else { return nil }
        self.url = whole
        self.host = host
    }

    /// Where a redirect leads, which may be said relative to here.
    package func following(_ location: String) -> WebAddress? {
        URL(string: location, relativeTo: url).flatMap { WebAddress($0) }
    }

    package var description: String { url.absoluteString }
}

extension String {
    /// The string with `?` in place of every character that could steer the terminal.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map {
                    switch $0.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "?"
                    default: $0
                    }
                }))
    }
}
