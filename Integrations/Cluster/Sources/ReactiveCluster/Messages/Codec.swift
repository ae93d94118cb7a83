import Foundation

/// Turns values into bytes and back.
///
/// ```swift
/// let codec = Codec<Price>(
///     encode: { price, bytes in bytes.append(contentsOf: price.wire) },
///     decode: { bytes in try Price(wire: bytes) })
/// ```
///
/// The closures are called on the threads of those who publish and observe, never under a lock.
public struct Codec<Value: Sendable>: Sendable {
    /// Appends a value to bytes that already hold the envelope.
    public let encode: @Sendable (_ value: Value, _ bytes: inout [UInt8]) throws -> Void
    /// Reads a value. The bytes are valid during the call only.
    public let decode: @Sendable (_ bytes: RawSpan) throws -> Value
    /// Makes a value that shares the memory of the message. `nil` to decode instead.
    @usableFromInline let share: (@Sendable (MessageFrame) -> Value)?
    /// Decodes into the memory of the value before, if nobody else has kept that. `nil` to decode instead.
    @usableFromInline let reuse: Reuse?

    /// How values are decoded one after the other into the same memory.
    @usableFromInline
    struct Reuse: Sendable {
        /// What the first value replaces.
        @usableFromInline let empty: Value
        /// Returns the next value. Consumes the former one, and must not change it where somebody else has kept it.
        @usableFromInline let read: @Sendable (_ bytes: RawSpan, _ former: consuming Value) -> Value
        /// Whether a value is small enough to be kept until the next message arrives.
        @usableFromInline let isSmall: @Sendable (_ value: Value) -> Bool

        init(
            empty: Value, read: @escaping @Sendable (_ bytes: RawSpan, _ former: consuming Value) -> Value,
            isSmall: @escaping @Sendable (_ value: Value) -> Bool
        ) {
            self.empty = empty
            self.read = read
            self.isSmall = isSmall
        }
    }

    /// Creates a codec.
    ///
    /// - Parameters:
    ///   - encode: Appends the bytes of a value. Must not change the bytes that are there.
    ///   - decode: Reads a value from the bytes that `encode` has appended.
    public init(
        encode: @escaping @Sendable (_ value: Value, _ bytes: inout [UInt8]) throws -> Void,
        decode: @escaping @Sendable (_ bytes: RawSpan) throws -> Value
    ) {
        self.init(encode: encode, decode: decode, share: nil, reuse: nil)
    }

    init(
        encode: @escaping @Sendable (_ value: Value, _ bytes: inout [UInt8]) throws -> Void,
        decode: @escaping @Sendable (_ bytes: RawSpan) throws -> Value,
        share: (@Sendable (MessageFrame) -> Value)?, reuse: Reuse?
    ) {
        self.encode = encode
        self.decode = decode
        self.share = share
        self.reuse = reuse
    }
}

extension Codec where Value: Codable {
    /// JSON with the sorted keys and the default strategies of `Foundation`.
    public static var json: Codec {
        Codec(
            encode: { value, bytes in
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                bytes.append(contentsOf: try encoder.encode(value))
            },
            decode: { bytes in
                try JSONDecoder().decode(Value.self, from: bytes.withUnsafeBytes { Data($0) })
            })
    }
}

extension Codec where Value == [UInt8] {
    /// The bytes themselves.
    ///
    /// ``RemoteSignal/values()`` writes a value of at most 512 bytes into the memory of the value before, unless somebody
    /// has kept that, or the sizes differ much. So an observer that keeps nothing makes it allocate nothing.
    public static var bytes: Codec {
        Codec(
            encode: { value, bytes in value.withUnsafeBytes { bytes.append(contentsOf: $0) } },
            decode: { [UInt8]($0) }, share: nil,
            reuse: Reuse(
                empty: [],
                read: { (bytes: RawSpan, former: consuming [UInt8]) in
                    former.replace(with: bytes)
                    return former
                }, isSmall: { $0.count <= [UInt8].reusedSize }))
    }
}

extension Codec where Value == SharedBytes {
    /// The bytes themselves. A ``RemoteSignal`` delivers them without a copy: see ``SharedBytes``.
    public static var sharedBytes: Codec {
        Codec(
            encode: { value, bytes in value.withUnsafeBytes { bytes.append(contentsOf: $0) } },
            decode: { SharedBytes([UInt8]($0)) },
            share: { SharedBytes($0.storage, start: $0.start, count: $0.count) }, reuse: nil)
    }
}

extension Codec where Value == String {
    /// The bytes of the text in UTF-8. Fails to decode bytes that are not valid.
    public static var utf8: Codec {
        Codec(
            encode: { value, bytes in bytes.append(contentsOf: value.utf8) },
            decode: { bytes in
                guard let text = String(validating: [UInt8](bytes), as: UTF8.self) else { throw InvalidUTF8() }
                return text
            })
    }
}

extension Codec where Value == Never {
    /// For a value that never exists, such as the error of an action that cannot fail.
    public static var never: Codec {
        Codec(encode: { _, _ in }, decode: { _ in throw NeverExists() })
    }
}

private struct InvalidUTF8: Error, CustomStringConvertible {
    var description: String { "the bytes are not UTF-8" }
}

private struct NeverExists: Error, CustomStringConvertible {
    var description: String { "a value of type Never does not exist" }
}

extension [UInt8] {
    /// Copies bytes.
    @usableFromInline
    init(_ span: RawSpan) {
        self = span.withUnsafeBytes { [UInt8]($0) }
    }

    /// Copies bytes into the memory of this array, unless that is shared or does not fit.
    ///
    /// Allocating and releasing an array takes longer than all else that is done to a small message.
    @inline(__always)
    fileprivate mutating func replace(with span: RawSpan) {
        // If the array is shared, this copies it once in vain.
        if span.byteCount == count, count <= Self.reusedSize {
            withUnsafeMutableBytes { target in span.withUnsafeBytes { target.copyMemory(from: $0) } }
        } else {
            resize(to: span)
        }
    }

    @inline(never)
    private mutating func resize(to span: RawSpan) {
        let size = span.byteCount
        // An array that somebody keeps must not have much more memory than it needs.
        if size <= capacity, capacity <= Self.reusedSize, capacity / 2 <= Swift.max(size, 32) {
            removeAll(keepingCapacity: true)
            span.withUnsafeBytes { append(contentsOf: $0) }
        } else {
            self = [UInt8](span)
        }
    }

    /// The size of the largest array whose memory is used again.
    fileprivate static var reusedSize: Int { 512 }
}
