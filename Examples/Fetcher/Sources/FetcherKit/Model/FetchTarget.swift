/// A URL to fetch, and the name of its file.
package struct FetchTarget: Hashable, Sendable {
    /// The index in the list.
    package let id: Int
    package let address: WebAddress
    package let fileName: String

    /// The targets for a list of URLs, without duplicates. No two have the same file name.
    package static func list(_ addresses: [WebAddress]) -> [FetchTarget] {
        var seen: Set<WebAddress> = []
        var names = FileNames()
        return addresses.filter { seen.insert($0).inserted }.enumerated().map { id, address in
            FetchTarget(id: id, address: address, fileName: names.take(for: address))
        }
    }
}
