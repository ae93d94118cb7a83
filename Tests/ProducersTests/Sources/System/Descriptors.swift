import Foundation

/// The descriptors of this process for which `isWanted` returns `true`.
///
/// - Parameter isWanted: Called with a descriptor's target and the kernel's further information about it.
func descriptors(where isWanted: (_ target: String, _ information: String) -> Bool) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.sorted().filter { descriptor in
        let information = try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
        return isWanted(link(of: descriptor), information ?? "")
    }
}

/// The target of a descriptor.
func link(of descriptor: Int32) -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
}
