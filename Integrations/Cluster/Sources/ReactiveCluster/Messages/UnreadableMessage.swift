/// A message that has arrived and cannot be read. The stream goes on after it.
public struct UnreadableMessage: Error, Sendable, Equatable, CustomStringConvertible {
    /// Why a message cannot be read.
    public enum Reason: Sendable, Equatable {
        /// It was not sent by this library.
        case foreign
        /// A newer version of this library has sent it. Update this process.
        case newerVersion(UInt8)
        /// It is larger than this process accepts.
        case tooLarge(size: Int, limit: Int)
        /// The codec could not decode the value, with the description of its error.
        case decoding(String)
    }

    /// The subject, the stream, or the bucket and the key that it came from.
    public let place: String
    /// Who has sent it, unless it is foreign.
    public let origin: Origin?
    /// Its sequence or revision, unless it is foreign.
    public let sequence: UInt64?
    /// Why it cannot be read.
    public let reason: Reason

    /// Creates a description.
    public init(place: String, origin: Origin?, sequence: UInt64?, reason: Reason) {
        self.place = place
        self.origin = origin
        self.sequence = sequence
        self.reason = reason
    }

    /// What cannot be read, and why.
    public var description: String {
        let message = "the message \(sequence.map { "\($0) " } ?? "")from \(place)"
        return switch reason {
        case .foreign: "\(message) was not sent by ReactiveCluster: let nothing else publish there"
        case .newerVersion(let version): "\(message) has the version \(version): update this process"
        case .tooLarge(let size, let limit): "\(message) has \(size) bytes, and the limit is \(limit)"
        case .decoding(let text): "\(message) could not be decoded: \(text)"
        }
    }
}
