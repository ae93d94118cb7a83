/// How a ``NATSTransport`` connects.
public struct NATSOptions: Sendable {
    /// The addresses of servers, such as `nats://127.0.0.1:4222`. One is enough: it names the others of its cluster.
    public var servers: [String]
    /// The name of the connection, which the server shows to its operators.
    public var name = "ReactiveSignals"
    /// How the client proves who it is.
    public var credentials = Credentials.none
    /// `nil` for a connection without encryption.
    public var tls: TLS?

    /// How long one attempt to connect to one server may take.
    public var connectTimeout = Duration.seconds(2)
    /// How long the answer to an append, a read or a write of state may take.
    public var requestTimeout = Duration.seconds(5)
    /// How long a write to the socket may block before the connection counts as broken.
    public var writeTimeout = Duration.seconds(5)
    /// How often the connection is checked. After two checks without an answer it counts as broken.
    public var pingInterval = Duration.seconds(2)
    /// How often the server confirms an idle cursor or watch. After two and a half intervals without one it is opened
    /// again.
    public var heartbeat = Duration.milliseconds(750)
    /// The pause after every server has been tried once. It doubles from `minimum` to `maximum`. A random part of one
    /// half is taken off.
    public var reconnectDelay = ReconnectDelay()

    /// Creates options with the defaults.
    ///
    /// - Parameter servers: At least one address.
    public init(servers: [String]) {
        self.servers = servers
    }

    /// The limits of the pause between two attempts to connect.
    public struct ReconnectDelay: Sendable {
        /// The pause after the first attempt.
        public var minimum: Duration
        /// The longest pause.
        public var maximum: Duration

        /// The pause after a number of earlier ones, with its random part.
        func seconds(after pauses: Int) -> Double {
            var delay = minimum
            for _ in 0..<min(pauses, 24) where delay < maximum { delay = delay * 2 }
            return Double(min(delay, maximum).milliseconds) / 1000 * Double.random(in: 0.5...1)
        }

        /// Creates limits.
        public init(minimum: Duration = .milliseconds(100), maximum: Duration = .seconds(2)) {
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// How the client proves who it is.
    public enum Credentials: Sendable {
        /// It does not.
        case none
        /// A user and a password.
        case user(String, password: String)
        /// A token.
        case token(String)
        /// The path of a file with a JSON web token and a seed, as `nsc` writes it.
        case file(String)
        /// A public key, and the path of a file with its seed.
        case key(publicKey: String, seedFile: String)
    }

    /// The encryption of the connection.
    public struct TLS: Sendable {
        /// The path of a file with the certificates that are trusted, in PEM. `nil` for those of the system.
        public var trustedCertificates: String?
        /// The paths of the client's certificate and its key, in PEM, for servers that ask for them.
        public var identity: Identity?
        /// The host name that the server's certificate must have. `nil` for that of the address.
        public var expectedHostname: String?

        /// Creates settings.
        public init(trustedCertificates: String? = nil, identity: Identity? = nil, expectedHostname: String? = nil) {
            self.trustedCertificates = trustedCertificates
            self.identity = identity
            self.expectedHostname = expectedHostname
        }

        /// A certificate and its key.
        public struct Identity: Sendable {
            /// The path of the chain of certificates.
            public var certificate: String
            /// The path of the key.
            public var key: String

            /// Names the files.
            public init(certificate: String, key: String) {
                self.certificate = certificate
                self.key = key
            }
        }
    }
}

extension Duration {
    /// Whole milliseconds, at least 1.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        if seconds > Int64(Int32.max) { return Int64(Int32.max) }
        return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// Whole nanoseconds.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}
