import FetcherKit
import NIOConcurrencyHelpers
import NIOCore
import ReactiveSignals
import ReactiveSignalsTesting

/// A transport without sockets, on virtual time, that records its requests and their times.
final class Script: Sendable {
    struct Request: Equatable, Sendable, CustomStringConvertible {
        let url: String
        let second: Double

        var description: String { "\(url) at \(second)" }
    }

    typealias Answer = SignalProducer<ResponsePart, FetchError>

    let scheduler: TestScheduler
    private let log = NIOLockedValueBox<[Request]>([])
    private let underWay = NIOLockedValueBox(0)
    private let answer: @Sendable (_ path: String, _ number: Int, _ scheduler: TestScheduler) -> Answer

    init(
        _ scheduler: TestScheduler,
        _ answer: @escaping @Sendable (_ path: String, _ number: Int, _ scheduler: TestScheduler) -> Answer
    ) {
        self.scheduler = scheduler
        self.answer = answer
    }

    var requests: [Request] { log.withLockedValue { $0 } }
    /// The number of running requests.
    var active: Int { underWay.withLockedValue { $0 } }

    var transport: Transport {
        { [self] address in
            .deferred { [self] in
                let url = address.description
                let number = log.withLockedValue { log in
                    log.append(Request(url: url, second: scheduler.now.offset / .seconds(1)))
                    return log.count { $0.url == url }
                }
                underWay.withLockedValue { $0 += 1 }
                let path = url.split(separator: "/", maxSplits: 2).last.map { "/" + $0 } ?? "/"
                return answer(path, number, scheduler).on(disposed: { [self] in underWay.withLockedValue { $0 -= 1 } })
            }
        }
    }
}

extension SignalProducer where Value == ResponsePart, Failure == FetchError {
    /// A complete response, sent immediately.
    static func answer(_ body: String = "", status: Int = 200) -> Self {
        Self([.head(status: status, length: body.utf8.count, location: nil), .body(ByteBuffer(string: body))])
    }

    static func redirect(to location: String) -> Self { Self(value: .head(status: 302, length: 0, location: location)) }

    /// The same response after a delay.
    func after(_ seconds: Int, on scheduler: TestScheduler) -> Self {
        SignalProducer<TestScheduler.Instant, Never>.timer(after: .seconds(seconds), on: scheduler)
            .promoteError(FetchError.self).then(self)
    }
}

extension FetchSettings {
    /// Round numbers, and no jitter.
    static var plain: FetchSettings {
        var settings = FetchSettings()
        settings.pause = .seconds(1)
        settings.longestPause = .seconds(100)
        settings.jitter = 0
        settings.overallTimeout = .seconds(1000)
        return settings
    }
}

/// The values received so far.
final class Collected<Element: Sendable>: Sendable {
    private let elements = NIOLockedValueBox<[Element]>([])

    var all: [Element] { elements.withLockedValue { $0 } }
    var last: Element? { all.last }

    func append(_ element: Element) { elements.withLockedValue { $0.append(element) } }
}

extension SignalProducer where Failure == Never {
    /// Starts the producer, and collects its values.
    func collected() -> Collected<Value> {
        let collected = Collected<Value>()
        startWithNext { collected.append($0) }
        return collected
    }
}
