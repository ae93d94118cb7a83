import Glibc

/// The output of a descriptor as text. Keeps an incomplete character back until all of its bytes have arrived.
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

    /// Returns the text that has arrived. Waits for at least one byte. Closes the stream at the end.
    mutating func read() -> String {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        // A terminal reports an error once no program has it open.
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

    /// The number of trailing bytes of an incomplete character.
    private var incompleteTail: Int {
        for (index, byte) in pending.reversed().prefix(4).enumerated() where byte & 0xC0 != 0x80 {
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            return length > index + 1 ? index + 1 : 0
        }
        return 0
    }
}
