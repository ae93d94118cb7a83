#if Explore
#if canImport(Glibc)
import Glibc

/// What the Swift runtime keeps in thread-local memory, on the thread that creates this.
struct ThreadLocalBlocks {
    private struct Block {
        let address: UnsafeMutableRawPointer
        let size: Int
    }

    private var blocks: [Block] = []
    private var size = 0
    /// What the blocks contain on a thread that has run nothing.
    private let initial: UnsafeMutableRawPointer

    init() {
        guard let symbol = dlsym(nil, "__tls_get_addr") else { fatalError("Explorer: no __tls_get_addr") }
        typealias Look = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
        let look = unsafeBitCast(symbol, to: Look.self)
        let modules = Module.all.filter {
            // With a static runtime, its variables are those of the program, which has no name.
            $0.name.isEmpty || $0.name.contains("libswiftCore") || $0.name.contains("libswift_Concurrency")
        }
        let bytes = modules.reduce(0) { $0 + $1.size }
        initial = .allocate(byteCount: max(bytes, 1), alignment: 16)
        memset(initial, 0, bytes)
        for module in modules {
            // Allocates the block of this thread if there is none yet.
            var index = (module: module.number, offset: UInt(0))
            guard let address = withUnsafeMutablePointer(to: &index, { look($0) }) else { continue }
            blocks.append(Block(address: address, size: module.size))
            memcpy(initial + size, module.image, module.imageSize)
            size += module.size
        }
    }

    /// Returns the contents of the blocks for a flow of control that has run nothing.
    func makeCopy() -> UnsafeMutableRawPointer {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 16)
        memcpy(copy, initial, size)
        return copy
    }

    func exchange(saving saved: UnsafeMutableRawPointer, loading loaded: UnsafeMutableRawPointer) {
        var offset = 0
        for block in blocks {
            memcpy(saved + offset, block.address, block.size)
            memcpy(block.address, loaded + offset, block.size)
            offset += block.size
        }
    }

    /// A part of the program with thread-local memory.
    private struct Module {
        let name: String
        let number: UInt
        let size: Int
        let image: UnsafeRawPointer
        let imageSize: Int

        /// `struct dl_phdr_info` and `Elf64_Phdr` of `link.h`, which Swift does not import.
        private struct Info {
            let address: UInt
            let name: UnsafePointer<CChar>?
            let headers: UnsafePointer<Header>
            let headerCount: UInt16
            let loads: UInt64
            let unloads: UInt64
            let module: UInt
        }

        private struct Header {
            let type: UInt32
            let flags: UInt32
            let offset: UInt64
            let address: UInt64
            let physicalAddress: UInt64
            let fileSize: UInt64
            let memorySize: UInt64
            let alignment: UInt64

            static let threadLocal: UInt32 = 7
        }

        static var all: [Module] {
            typealias Visit = @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32
            typealias Iterate = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32
            guard let symbol = dlsym(nil, "dl_iterate_phdr") else { fatalError("Explorer: no dl_iterate_phdr") }
            let iterate = unsafeBitCast(symbol, to: Iterate.self)
            var found: [Module] = []
            withUnsafeMutablePointer(to: &found) { found in
                _ = iterate(
                    { info, _, found in
                        guard let info = info?.assumingMemoryBound(to: Info.self).pointee, let found else { return 0 }
                        for header in UnsafeBufferPointer(start: info.headers, count: Int(info.headerCount))
                        where header.type == Header.threadLocal {
                            guard let image = UnsafeRawPointer(bitPattern: info.address + UInt(header.address)) else {
                                continue
                            }
                            found.assumingMemoryBound(to: [Module].self).pointee.append(
                                Module(
                                    name: info.name.map { String(cString: $0) } ?? "", number: info.module,
                                    size: Int(header.memorySize), image: image, imageSize: Int(header.fileSize)))
                        }
                        return 0
                    }, found)
            }
            return found
        }
    }
}
#endif
#endif
