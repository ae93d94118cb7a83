/// The header of each message: 28 bytes, of which all versions share the layout, in little-endian order.
///
///     offset  0  1        2     3         4       12     20        28
///             R  version  kind  reserved  origin  epoch  sequence  value
///
/// A receiver can therefore count a message of a newer version, although it cannot read its value.
@usableFromInline
struct Envelope: Equatable, Sendable {
    @usableFromInline
    enum Kind: UInt8, Sendable {
        /// A value follows.
        case value = 0
        /// No value: says which sequence the origin has last sent.
        case beacon = 1
        /// The answer to a request.
        case answer = 2
    }

    /// The version that this library writes.
    static let version: UInt8 = 1
    /// The number of bytes.
    @inlinable static var size: Int { 28 }
    private static let mark = UInt8(ascii: "R")
    /// The first four bytes of a value that this library writes, in the order of this machine.
    @inlinable static var valueMark: UInt32 { UInt32(littleEndian: 0x0000_0152) }

    var kind: Kind
    var origin: Origin
    /// A random number for each incarnation of the origin. Not a time: clocks may be set back.
    var epoch: UInt64
    /// Counts what the origin has sent in this epoch, from 1.
    var sequence: UInt64

    /// What the first bytes of a message are.
    enum Reading {
        case envelope(Envelope)
        case newerVersion(UInt8, Envelope)
        case foreign
    }

    @inline(__always)
    static func read(_ bytes: RawSpan) -> Reading {
        guard bytes.byteCount >= size else { return .foreign }
        let (mark, version, kind) = bytes.withUnsafeBytes { ($0[0], $0[1], $0[2]) }
        guard mark == Self.mark, version > 0 else { return .foreign }
        let (origin, epoch, sequence) = bytes.withUnsafeBytes { bytes in
            (
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt64.self))
            )
        }
        var envelope = Envelope(kind: .value, origin: Origin(id: origin), epoch: epoch, sequence: sequence)
        guard let kind = Kind(rawValue: kind), version == Self.version else {
            // A newer version may have other kinds.
            return version == Self.version ? .foreign : .newerVersion(version, envelope)
        }
        envelope.kind = kind
        return .envelope(envelope)
    }

    /// Returns the bytes of a message: this header, and what `encode` appends.
    func bytes(_ encode: (inout [UInt8]) throws -> Void = { _ in }) rethrows -> [UInt8] {
        var bytes: [UInt8] = []
        begin(&bytes)
        try encode(&bytes)
        return bytes
    }

    /// Replaces what an array has with this header.
    func begin(_ bytes: inout [UInt8]) {
        if bytes.count >= Self.size {
            bytes.removeLast(bytes.count - Self.size)
        } else {
            bytes = []
            // For a small value too.
            bytes.reserveCapacity(Self.size + 100)
            bytes.append(contentsOf: repeatElement(0, count: Self.size))
        }
        bytes.withUnsafeMutableBytes { raw in
            raw.storeBytes(of: Self.mark, as: UInt8.self)
            raw.storeBytes(of: Self.version, toByteOffset: 1, as: UInt8.self)
            raw.storeBytes(of: kind.rawValue, toByteOffset: 2, as: UInt8.self)
            raw.storeBytes(of: 0, toByteOffset: 3, as: UInt8.self)
            raw.storeBytes(of: origin.id.littleEndian, toByteOffset: 4, as: UInt64.self)
            raw.storeBytes(of: epoch.littleEndian, toByteOffset: 12, as: UInt64.self)
            raw.storeBytes(of: sequence.littleEndian, toByteOffset: 20, as: UInt64.self)
        }
    }

    /// Sets the sequence in the bytes of a message.
    static func number(_ bytes: inout [UInt8], _ sequence: UInt64) {
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: sequence.littleEndian, toByteOffset: 20, as: UInt64.self)
        }
    }
}

extension Codec {
    /// Returns the bytes of a message with a value.
    ///
    /// - Throws: ``TransportError/encoding(_:)``, or ``TransportError/payloadTooLarge(size:limit:)``.
    func message(_ envelope: Envelope, _ value: Value, limit: Int) throws(TransportError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try envelope.bytes { try encode(value, &$0) }
        } catch {
            throw .encoding("\(error)")
        }
        if bytes.count > limit { throw .payloadTooLarge(size: bytes.count, limit: limit) }
        return bytes
    }

    /// Reads the value of a stored message.
    ///
    /// - Parameters:
    ///   - bytes: The whole message.
    ///   - place: Where it came from, for the error.
    ///   - sequence: The sequence or revision under which it is stored.
    ///   - limit: The largest message that is read.
    func value(
        of bytes: RawSpan, at place: @autoclosure () -> String, _ sequence: UInt64, limit: Int
    ) throws(UnreadableMessage) -> (Envelope, Value) {
        func unreadable(_ origin: Origin?, _ reason: UnreadableMessage.Reason) -> UnreadableMessage {
            UnreadableMessage(place: place(), origin: origin, sequence: sequence, reason: reason)
        }
        switch Envelope.read(bytes) {
        case .foreign: throw unreadable(nil, .foreign)
        case .newerVersion(let version, let envelope): throw unreadable(envelope.origin, .newerVersion(version))
        case .envelope(let envelope):
            if bytes.byteCount > limit {
                throw unreadable(envelope.origin, .tooLarge(size: bytes.byteCount, limit: limit))
            }
            do {
                return (envelope, try decode(bytes.extracting(Envelope.size...)))
            } catch {
                throw unreadable(envelope.origin, .decoding("\(error)"))
            }
        }
    }
}
