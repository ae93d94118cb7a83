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

/// Sends requests with AsyncHTTPClient.
package final class HTTPTransport: Sendable {
    private let client: HTTPClient
    private let log: Logger

    /// - Parameter log: Receives the log of the HTTP client.
    package init(_ settings: FetchSettings, log: Logger) {
        var configuration = HTTPClient.Configuration()
        // `Fetching` follows redirects, because each request must count against the limit of its own host.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = TimeAmount(settings.timeout)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = settings.perHost
        // `Fetching` also retries failed connections.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        self.log = log
    }

    /// Closes all connections. Call once, after the last request.
    package func shutDown() async {
        do {
            try await client.shutdown()
        } catch {
            log.warning("Cannot close the connections: \(error)")
        }
    }

    /// The transport. It retains this object.
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
            // `Fetching` applies the timeouts, on its own scheduler.
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

    /// The length that the body must have; `nil` if a transfer coding determines the end of the body.
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
            // A host can have several addresses. The error of the first one is enough.
            self =
                error.connectionErrors.first.map { FetchError($0.error) }
                ?? .connection("no address found for \(error.host)")
        default: self = .connection("\(error)")
        }
    }
}
