import Glibc

/// What comes out of a descriptor, as text: a character whose bytes arrive in two parts is kept back until it is whole.
struct ByteStream {
    let descriptor: Int32
    let isOwned: Bool
    private(set) var isOpen: Bool
    private var pending: [UInt8] = []

    init(descriptor: Int32, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
        isOpen = descriptor >= 0
    }

    /// The text that has arrived; waits for at least a byte. At the end, the stream is no longer open.
    mutating func read() -> String {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        // A terminal reports its end, which is that no program has it open any more, as an error.
        guard count > 0 else {
            if count == 0 || errno != EINTR { close() }
            return ""
        }
        pending += buffer[..<count]
        let whole = pending.count - incompleteTail
        defer { pending.removeFirst(whole) }
        return String(decoding: pending[..<whole], as: UTF8.self)
    }

    mutating func close() {
        if isOpen, isOwned { Glibc.close(descriptor) }
        isOpen = false
    }

    /// How many of the last bytes begin a character that has not ended.
    private var incompleteTail: Int {
        for (index, byte) in pending.reversed().prefix(4).enumerated() where byte & 0xC0 != 0x80 {
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            return length > index + 1 ? index + 1 : 0
        }
        return 0
    }
}
