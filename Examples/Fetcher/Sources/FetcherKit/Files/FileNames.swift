import Foundation

/// Derives a unique file name from each URL. A name cannot lead out of its directory.
struct FileNames {
    /// In lower case, because some file systems ignore case.
    private var taken: Set<String> = []

    /// The maximum length in bytes. File systems allow 255, and the temporary name of a file is longer.
    static let longest = 180

    /// The host, the path and the query, with `_` in place of every other character than letters, digits, `-` and `.`.
    static func name(for address: WebAddress) -> String {
        let path = address.url.path(percentEncoded: true)
        let query = address.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        let port = address.url.port.map { ":\($0)" } ?? ""
        var text = address.host + port + path
        if text.hasSuffix("/") { text += "index" }
        text += query
        let name = String(
            text.unicodeScalars.map { scalar -> Character in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", ".": Character(scalar)
                default: "_"
                }
            })
        // Without a slash, two dots in a row are harmless, but they look like a path.
        let safe = name.split(separator: ".", omittingEmptySubsequences: true).joined(separator: ".")
        return safe.isEmpty ? "index" : shortened(safe)
    }

    /// The name for a URL, with a number if it is taken.
    mutating func take(for address: WebAddress) -> String {
        let name = Self.name(for: address)
        var result = name
        var number = 1
        while !taken.insert(result.lowercased()).inserted {
            number += 1
            result = "\(name)-\(number)"
        }
        return result
    }

    /// Keeps both ends: the beginning has the host, and the end has the file extension.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        let half = (longest - 1) / 2
        return name.prefix(half) + "~" + name.suffix(half)
    }
}
