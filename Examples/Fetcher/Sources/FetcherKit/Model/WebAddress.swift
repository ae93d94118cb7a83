package import Foundation

/// An `http` or `https` URL with a host.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    package let url: URL
    /// In lower case. The limit per host uses it.
    package let host: String

    /// `nil` if the text is not such a URL, or contains a user name or a password.
    ///
    /// Fetcher would not send the user name and the password, but it would show them on the screen.
    package init?(_ text: String) {
        guard let url = URL(string: text) else { return nil }
        self.init(url)
    }

    private init?(_ url: URL) {
        guard var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil
        else { return nil }
        // Servers never see the fragment, so URLs that differ only in the fragment are equal.
        parts.fragment = nil
        // Normalizes the spelling, so that equal URLs compare as equal.
        parts.scheme = scheme
        parts.host = host
        if parts.path.isEmpty { parts.path = "/" }
        guard let whole = parts.url else { return nil }
        self.url = whole
        self.host = host
    }

    /// The target of a redirect, which can be relative to this URL.
    package func following(_ location: String) -> WebAddress? {
        URL(string: location, relativeTo: url).flatMap { WebAddress($0) }
    }

    package var description: String { url.absoluteString }
}

extension String {
    /// The string with `?` in place of every character that could control the terminal.
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
