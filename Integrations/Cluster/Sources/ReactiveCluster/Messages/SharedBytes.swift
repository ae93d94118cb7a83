/// The bytes of a received message, without a copy of them.
///
/// They share memory with messages that were received before and after, and keep all of it: 64 kilobytes, or the size of
/// the message if it is larger. So use them at once, or copy what you keep: `[UInt8](bytes)`.
public struct SharedBytes: Sendable, Equatable {
    let storage: FrameStorage
    let start: Int
    /// The number of bytes.
    public let count: Int

    init(_ storage: FrameStorage, start: Int, count: Int) {
        self.storage = storage
        self.start = start
        self.count = count
    }

    /// Copies bytes, to send them.
    public init(_ bytes: [UInt8]) {
        storage = FrameStorage(capacity: max(bytes.count, 8))
        storage.bytes.copyBytes(from: bytes)
        start = 0
        count = bytes.count
    }

    /// Calls `body` with the bytes, which are valid during the call only.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(rebasing: storage.bytes[start..<start + count]))
    }

    /// Whether the bytes are equal.
    public static func == (first: SharedBytes, second: SharedBytes) -> Bool {
        first.withUnsafeBytes { first in second.withUnsafeBytes { first.elementsEqual($0) } }
    }
}

extension [UInt8] {
    /// Copies the bytes of a message.
    public init(_ bytes: SharedBytes) { self = bytes.withUnsafeBytes { [UInt8]($0) } }
}

/// Memory that messages share. Written before it is shared.
final class FrameStorage: @unchecked Sendable {
    // Sendable: see above.
    let bytes: UnsafeMutableRawBufferPointer

    /// Where they begin.
    var start: UnsafeMutableRawPointer { bytes.baseAddress.unsafelyUnwrapped }

    init(capacity: Int) { bytes = .allocate(byteCount: capacity, alignment: 8) }

    deinit { bytes.deallocate() }
}

/// Where a received value is in its memory, which the reading retains. Valid during the call that receives it.
@usableFromInline
struct MessageFrame {
    // Not retained: that would be two atomic operations per message, for codecs that do not share.
    private let unretained: Unmanaged<FrameStorage>
    let start: Int
    let count: Int

    init(storage: FrameStorage, start: Int, count: Int) {
        unretained = .passUnretained(storage)
        self.start = start
        self.count = count
    }

    var storage: FrameStorage { unretained.takeUnretainedValue() }
}
