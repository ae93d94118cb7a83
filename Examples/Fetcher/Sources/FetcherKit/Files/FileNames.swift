import Foundation

/// Makes a file name of each address: one that cannot lead out of its directory, and that no other one gets.
struct FileNames {
    /// In small letters, as some file systems do not tell them apart.
    private var taken: Set<String> = []

    /// The longest name, in bytes. A file system's limit is 255, and a temporary name is longer by its mark.
    static let longest = 180

    /// The host, the path and the query, with `_` for all that is not plainly a character of a name.
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
        // Two dots in a row are harmless without a slash, yet they need not be explained to anybody.
        let safe = name.split(separator: ".", omittingEmptySubsequences: true).joined(separator: ".")
        return safe.isEmpty ? "index" : shortened(safe)
    }

    /// The name of an address, with a number if it is taken.
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

    /// Both ends, since the beginning tells the host and the end the kind.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        let half = (longest - 1) / 2
        return name.prefix(half) + "~" + name.suffix(half)
    }
}
