import ColdProducers
import Foundation
import HotSignals

// The system calls for the files of recordings, which block.

/// Opens a file.
func openFile(_ url: URL, _ flags: Int32, mode: mode_t = 0) throws(SystemError) -> Int32 {
    while true {
        let descriptor = url.withUnsafeFileSystemRepresentation { path in
            path.map { open($0, flags | O_CLOEXEC, mode) }
        }
        guard let descriptor else { throw SystemError(code: ENOENT, operation: "open") }
        if descriptor >= 0 { return descriptor }
        if errno != EINTR { throw .last("open") }
    }
}

/// Reads a chunk. Returns at least one byte, or none at the end of the file.
func readFile(_ descriptor: Int32, upTo limit: Int) throws(SystemError) -> Data {
    var data = Data(count: limit)
    while true {
        let count = data.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, limit) }
        if count >= 0 {
            data.removeSubrange(count...)
            return data
        }
        if errno != EINTR { throw .last("read") }
    }
}

/// Writes all bytes.
func writeFile(_ descriptor: Int32, _ bytes: Data) throws(SystemError) {
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            return write(descriptor, rest.baseAddress, rest.count)
        }
        if count >= 0 {
            written += count
        } else if errno != EINTR {
            throw .last("write")
        }
    }
}
