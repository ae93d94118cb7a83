import ReactiveCluster
import ReactiveSignals

extension TransportContract {
    static var requestChecks: [Check] {
        [
            Check("a request is answered") { context in
                let (client, server) = (try await context.connect("client"), try await context.connect("server"))
                let subject = try context.subject()
                _ = try server.serve(
                    subject, queue: .servers, answer: { $0.answer($0.payload.reversed()) }, failed: { _ in })
                try await context.eventually("no answer") {
                    try await attempt { try await client.request([1], to: subject, timeout: .seconds(1)) } == [1]
                }
                let answer = try await client.request([1, 2, 3], to: subject, timeout: .seconds(5))
                try context.expect(answer, is: [3, 2, 1], "the answer")
            },
            Check("a request that nobody serves fails") { context in
                let client = try await context.connect()
                let subject = try context.subject()
                try await context.expectError("noResponder") {
                    _ = try await client.request([1], to: subject, timeout: .seconds(5))
                } where: {
                    $0 == .noResponder(subject.description)
                }
            },
            Check("a request that is not answered times out") { context in
                let (client, server) = (try await context.connect("client"), try await context.connect("server"))
                let (subject, requests) = (try context.subject(), Received<TransportRequest>())
                _ = try server.serve(subject, queue: .servers, answer: { requests.add($0) }, failed: { _ in })
                try await context.eventually("the request has not arrived") {
                    _ = try await attempt {
                        try await client.request([1], to: subject, timeout: .milliseconds(200))
                    }
                    return !requests.all.isEmpty
                }
                try await context.expectError("timeout") {
                    _ = try await client.request([1], to: subject, timeout: .milliseconds(200))
                } where: {
                    $0 == .timeout
                }
                // Too late, which nobody notices.
                for request in requests.all { request.answer([2]) }
            },
            Check("each request goes to one member of a queue, and only the first answer counts") { context in
                let client = try await context.connect("client")
                let subject = try context.subject()
                let (first, second) = (Received<UInt8>(), Received<UInt8>())
                for (name, log) in [("a", first), ("b", second)] {
                    let server = try await context.connect(name)
                    _ = try server.serve(
                        subject, queue: .servers,
                        answer: { request in
                            if request.payload != [0] { log.add(request.payload[0]) }
                            request.answer(request.payload)
                            request.answer([255])
                        }, failed: { _ in })
                }
                try await context.eventually("no answer") {
                    try await attempt { try await client.request([0], to: subject, timeout: .seconds(1)) } == [0]
                }
                for number in 1...50 as ClosedRange<UInt8> {
                    let answer = try await client.request([number], to: subject, timeout: .seconds(5))
                    try context.expect(answer, is: [number], "the answer")
                }
                try context.expect((first.all + second.all).sorted(), is: Array(1...50), "the requests")
            },
            Check("a request whose task is cancelled throws promptly") { context in
                let (client, server) = (try await context.connect("client"), try await context.connect("server"))
                let (subject, requests) = (try context.subject(), Received<TransportRequest>())
                _ = try server.serve(subject, queue: .servers, answer: { requests.add($0) }, failed: { _ in })
                let result = Received<TransportError>()
                let start = SignalProducer<[UInt8], TransportError>.async { () async throws(TransportError) in
                    do throws(TransportError) {
                        return try await client.request([1], to: subject, timeout: .seconds(3600))
                    } catch {
                        result.add(error)
                        throw error
                    }
                }.start()
                try await context.eventually("the request has not arrived") {
                    !requests.all.isEmpty || !result.all.isEmpty
                }
                start.dispose()
                try await context.eventually("it has not thrown") { !result.all.isEmpty }
                try context.expect(
                    result.all == [.cancelled] || result.all == [.noResponder(subject.description)],
                    "it has thrown \(result.all)")
            },
        ]
    }

    /// Returns `nil` if the servers cannot carry out the operation yet.
    static func attempt<Value>(_ operation: () async throws -> Value) async throws -> Value? {
        do {
            return try await operation()
        } catch let error as TransportError where error.isTransient {
            return nil
        }
    }
}
