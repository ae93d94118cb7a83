/// What a server answers.
enum Reply<Output: Sendable, Failure: Error>: Sendable {
    case value(Output)
    case disabled
    case failure(Failure)
    case interrupted
    /// The server could not read the request, or not send the result.
    case refused(String)
}

extension Codec {
    /// The codec of replies: one byte for the case, and then the value.
    static func reply<Output, Failure>(
        _ output: Codec<Output>, _ failure: Codec<Failure>
    ) -> Codec where Value == Reply<Output, Failure> {
        Codec(
            encode: { reply, bytes in
                switch reply {
                case .value(let value):
                    bytes.append(0)
                    try output.encode(value, &bytes)
                case .disabled: bytes.append(1)
                case .failure(let error):
                    bytes.append(2)
                    try failure.encode(error, &bytes)
                case .interrupted: bytes.append(3)
                case .refused(let text):
                    bytes.append(4)
                    bytes.append(contentsOf: text.utf8)
                }
            },
            decode: { bytes in
                guard bytes.byteCount > 0 else { throw UnknownReply() }
                let rest = bytes.extracting(1...)
                return switch bytes.withUnsafeBytes({ $0[0] }) {
                case 0: .value(try output.decode(rest))
                case 1: .disabled
                case 2: .failure(try failure.decode(rest))
                case 3: .interrupted
                case 4: .refused(String(decoding: [UInt8](rest), as: UTF8.self))
                default: throw UnknownReply()
                }
            })
    }
}

private struct UnknownReply: Error, CustomStringConvertible {
    var description: String { "the answer is of an unknown kind" }
}
