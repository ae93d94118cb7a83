/// Messages one after the other in memory, each preceded by its length in 8 bytes.
///
/// The memory grows by chunks, so that a backlog is never copied, and a value that shares memory keeps one chunk of it.
struct FrameBuffer: @unchecked Sendable {
    // Sendable: one thread at a time uses it.
    private struct Chunk {
        let storage: FrameStorage
        var size: Int
    }

    /// The memory of a chunk, unless a message is larger, or it is the first one of a buffer.
    private static let chunkCapacity = 1 << 16
    private static let firstCapacity = 1 << 12
    /// How many chunks a buffer keeps at most when it is emptied, besides the present one.
    private static let keptChunks = 15

    /// The present chunk. `nil` if nothing was ever appended.
    private var storage: FrameStorage?
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    /// The number of bytes in use in the present chunk, and in those before it, with the lengths.
    private var used = 0
    private var before = 0
    /// The chunks before the present one, in order.
    private var full: [Chunk] = []
    /// Chunks for later.
    private var spare: [FrameStorage] = []

    /// The number of bytes in use, with the lengths.
    var size: Int {
        @inline(__always) get { before &+ used }
    }

    @inline(__always)
    mutating func append(_ message: RawSpan) {
        let count = message.byteCount
        if used &+ count &+ 8 > capacity { addChunk(for: count) }
        // There is memory now.
        let end = base.unsafelyUnwrapped + used
        used &+= (count &+ 15) & ~7
        end.storeBytes(of: UInt64(truncatingIfNeeded: count), as: UInt64.self)
        message.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress { (end + 8).copyMemory(from: source, byteCount: count) }
        }
    }

    /// Makes room for a message of `count` bytes.
    @inline(never)
    private mutating func addChunk(for count: Int) {
        let needed = count + 16
        let new: FrameStorage
        if let kept = spare.last, kept.bytes.count >= needed {
            spare.removeLast()
            new = kept
        } else {
            new = FrameStorage(capacity: max(storage == nil ? Self.firstCapacity : Self.chunkCapacity, needed))
        }
        if let storage, used > 0 { full.append(Chunk(storage: storage, size: used)) }
        before += used
        use(new)
    }

    private mutating func use(_ chunk: FrameStorage) {
        storage = chunk
        base = chunk.start
        // Messages are padded to 8 bytes.
        capacity = chunk.bytes.count - 8
        used = 0
    }

    /// Calls `body` with each message.
    func readMessages(_ body: (RawSpan) -> Void) {
        forEachChunk { frames, _ in
            var frames = frames
            while let message = frames.pop() { body(message.bytes) }
        }
    }

    /// Calls `body` with the messages of each chunk, which are valid during the call only, and its memory.
    func forEachChunk(_ body: (Frames, FrameStorage) -> Void) {
        func read(_ storage: FrameStorage, _ size: Int) {
            withExtendedLifetime(storage) {
                let start = UnsafeRawPointer(storage.start)
                body(Frames(next: start, end: start + size), storage)
            }
        }
        for chunk in full { read(chunk.storage, chunk.size) }
        if let storage, used > 0 { read(storage, used) }
    }

    /// Keeps the memory that has just been used, at most a megabyte of it, except for what values share.
    mutating func removeAll() {
        spare = []
        while var chunk = full.popLast()?.storage {
            if spare.count < Self.keptChunks, chunk.bytes.count == Self.chunkCapacity,
                isKnownUniquelyReferenced(&chunk)
            {
                spare.append(chunk)
            }
        }
        before = 0
        used = 0
        if capacity > Self.chunkCapacity || !isKnownUniquelyReferenced(&storage) {
            storage = nil
            base = nil
            capacity = 0
        }
    }
}

/// The messages of a buffer, of which the first ones have been read.
@frozen @usableFromInline
struct Frames {
    @usableFromInline var next: UnsafeRawPointer?
    @usableFromInline let end: UnsafeRawPointer?

    /// Returns the next message.
    @inlinable @inline(__always)
    mutating func pop() -> UnsafeRawBufferPointer? {
        guard let first = next, next != end else { return nil }
        let count = Int(truncatingIfNeeded: first.load(as: UInt64.self))
        next = first + ((count &+ 15) & ~7)
        return UnsafeRawBufferPointer(start: first + 8, count: count)
    }
}
