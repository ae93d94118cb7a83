/// Who has sent a message. Two processes that run at the same time must not have the same origin.
///
/// Give each process a stable name, such as that of its machine and its port. Then receivers can tell a restart of a
/// process from a new process.
@frozen
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The number in the envelope.
    public let id: UInt64

    /// Creates an origin from a number that is unique in the cluster.
    public init(id: UInt64) { self.id = id }

    /// Creates an origin from a name that is unique in the cluster.
    ///
    /// The number is a hash (FNV-1a) of the name, so that every process computes the same one.
    public init(_ name: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        id = hash
    }

    /// A new random origin. A restart of its process then looks like another process.
    public static func random() -> Origin { Origin(id: .random(in: .min ... .max)) }

    /// The number in hexadecimal digits.
    public var description: String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
