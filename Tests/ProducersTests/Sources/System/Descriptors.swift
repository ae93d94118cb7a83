import Foundation

/// The descriptors of this process of which `isWanted` is true.
///
/// - Parameter isWanted: Called with where a descriptor leads, and with what else the kernel tells about it.
func descriptors(where isWanted: (_ target: String, _ information: String) -> Bool) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.sorted().filter { descriptor in
        let information = try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
        return isWanted(link(of: descriptor), information ?? "")
    }
}

/// Where a descriptor leads.
func link(of descriptor: Int32) -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
}
