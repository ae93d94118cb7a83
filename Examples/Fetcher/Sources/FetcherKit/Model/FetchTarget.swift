/// Something to be fetched, and the name under which it is kept.
package struct FetchTarget: Hashable, Sendable {
    /// Its place in the list, from 0.
    package let id: Int
    package let address: WebAddress
    package let fileName: String

    /// The targets of a list of addresses, each once, no two with the same file name.
    package static func list(_ addresses: [WebAddress]) -> [FetchTarget] {
        var seen: Set<WebAddress> = []
        var names = FileNames()
        return addresses.filter { seen.insert($0).inserted }.enumerated().map { id, address in
            FetchTarget(id: id, address: address, fileName: names.take(for: address))
        }
    }
}
