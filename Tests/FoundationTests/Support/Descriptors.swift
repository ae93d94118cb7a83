import Foundation
import TestSupport

/// The number of descriptors of this process that refer to a target, such as the path of a file or `pipe:[INODE]`.
/// Other tests run at the same time, so the number of all descriptors means nothing.
func descriptorCount(of target: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.filter { link(of: $0) == target }.count
}

/// The target of a descriptor.
func target(of handle: FileHandle) -> String { link(of: "\(handle.fileDescriptor)") }

private func link(of descriptor: String) -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
}

/// The number of all descriptors of this process.
var allDescriptors: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0 }

/// A file that is deleted when this object is released.
final class TemporaryFile: Sendable {
    let url: URL

    init(_ contents: Data) {
        url = FileManager.default.temporaryDirectory.appending(path: "reading-\(UUID().uuidString)")
            .resolvingSymlinksInPath()
        precondition(FileManager.default.createFile(atPath: url.path(), contents: contents))
    }

    convenience init(_ text: String) { self.init(Data(text.utf8)) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The number of descriptors of this process that refer to the file.
    var descriptors: Int { descriptorCount(of: url.path()) }

    /// A new handle at the beginning of the file.
    func handle() throws -> FileHandle { try FileHandle(forReadingFrom: url) }
}
