import AsyncHTTPClient
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ReactiveSignals

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The transport over AsyncHTTPClient.
package final class HTTPTransport: Sendable {
    private let client: HTTPClient
    private let log: Logger

    /// - Parameter log: Gets what the client has to tell.
    package init(_ settings: FetchSettings, log: Logger) {
        var configuration = HTTPClient.Configuration()
        // Each request counts for the host that it goes to, so redirects are followed by us.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = TimeAmount(settings.timeout)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = settings.perHost
        // So are failures to connect repeated by us.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        self.log = log
    }

    /// Closes all connections. To be called once, when no request is under way or nobody cares any more.
    package func shutDown() async {
        do {
            try await client.shutdown()
        } catch {
            log.warning("could not close the connections: \(error)")
        }
    }

    /// The transport. It holds this object.
    package var transport: Transport {
        { [self] address in
            SignalProducer<Answer, FetchError>.async { () async throws(FetchError) in try await self.answer(to: address)
            }
            .flatMap(.concat) { answer in
                SignalProducer<ResponsePart, FetchError>(value: answer.head).concat(answer.body)
            }
        }
    }

    private struct Answer: Sendable {
        let head: ResponsePart
        let body: SignalProducer<ResponsePart, FetchError>
    }

    private func answer(to address: WebAddress) async throws(FetchError) -> Answer {
        var request = HTTPClientRequest(url: address.description)
        request.headers.add(name: "User-Agent", value: "Fetcher (ReactiveSignals)")
        request.headers.add(name: "Accept", value: "*/*")
        do {
            // How long it may take is said by whoever starts this, on a clock of their own.
            let response = try await client.execute(request, deadline: .now() + .hours(24), logger: log)
            return Answer(
                head: .head(
                    status: Int(response.status.code), length: Self.length(response.headers),
                    location: response.headers.first(name: "Location"),
                    retryAfter: RetryAfter.pause(
                        response.headers.first(name: "Retry-After"), date: response.headers.first(name: "Date"))),
                body: SignalProducer(response.body).mapError { FetchError($0) }.map { .body($0) })
        } catch {
            throw FetchError(error)
        }
    }

    /// The length that the body must have. With a coding for the transfer, that one knows the end.
    private static func length(_ headers: HTTPHeaders) -> Int? {
        guard !headers.contains(name: "Transfer-Encoding") else { return nil }
        return headers.first(name: "Content-Length").flatMap { Int($0) }
    }
}

extension FetchError {
    init(_ error: any Error) {
        switch error {
        case let error as FetchError: self = error
        case let error as HTTPParserError: self = .garbage(error.debugDescription)
        case let error as HTTPClientError: self = .connection(error.shortDescription)
        case let error as IOError: self = .connection(String(cString: strerror(error.errnoCode)))
        case let error as NIOConnectionError:
            // A host may have several addresses: what became of the first tells enough.
            self =
                error.connectionErrors.first.map { FetchError($0.error) } ?? .connection("no address of \(error.host)")
        default: self = .connection("\(error)")
        }
    }
}
