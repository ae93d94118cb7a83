/// Messages one after the other in memory, each preceded by its length in 8 bytes.
struct FrameBuffer: @unchecked Sendable {
    // Sendable: one thread at a time uses it.
    /// The memory that a buffer keeps when it is emptied.
    private static let keptCapacity = 1 << 18

    private var storage: FrameStorage?
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    /// The number of bytes in use, with the lengths.
    private(set) var size = 0

    @inline(__always)
    mutating func append(_ message: RawSpan) {
        let count = message.byteCount
        if size &+ count &+ 8 > capacity { grow(by: count + 8) }
        guard let base else { return }
        base.storeBytes(of: UInt64(count), toByteOffset: size, as: UInt64.self)
        message.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress { (base + (size &+ 8)).copyMemory(from: source, byteCount: count) }
        }
        size &+= (count &+ 15) & ~7
    }

    @inline(never)
    private mutating func grow(by count: Int) {
        let new = FrameStorage(capacity: max(4096, capacity * 2, size + count + 8))
        if let base { new.bytes.baseAddress?.copyMemory(from: base, byteCount: size) }
        storage = new
        base = new.bytes.baseAddress
        // Messages are padded to 8 bytes.
        capacity = new.bytes.count - 8
    }

    @inline(__always)
    func forEach(_ body: (RawSpan, FrameStorage, Int) -> Void) {
        guard let storage, let base else { return }
        defer { withExtendedLifetime(storage) {} }
        var offset = 0
        while offset < size {
            let count = Int(base.load(fromByteOffset: offset, as: UInt64.self))
            body(UnsafeRawBufferPointer(start: base + (offset &+ 8), count: count).bytes, storage, offset &+ 8)
            offset &+= (count &+ 15) & ~7
        }
    }

    /// Keeps the memory of a usual burst, and releases that of a large one, and what values share.
    mutating func removeAll() {
        if capacity > Self.keptCapacity || !isKnownUniquelyReferenced(&storage) {
            self = FrameBuffer()
        } else {
            size = 0
        }
    }
}
