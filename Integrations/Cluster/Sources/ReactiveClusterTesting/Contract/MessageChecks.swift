import ReactiveCluster
import ReactiveSignals

extension TransportContract {
    static var messageChecks: [Check] {
        [
            Check("a message reaches all subscribers of its subject, in order, and no other") { context in
                let (sender, receiver) = (try await context.connect("sender"), try await context.connect("receiver"))
                let (subject, other) = (try context.subject(), try context.subject())
                let (first, second, wrong) = (Received<[UInt8]>(), Received<[UInt8]>(), Received<[UInt8]>())
                _ = try subscribe(receiver, subject, first)
                _ = try subscribe(sender, subject, second)
                _ = try subscribe(receiver, other, wrong)
                try await untilSubscribed(context, sender, subject, [first, second])
                let messages = (0..<100).map { [UInt8]("message \($0)") }
                for message in messages { try sender.publish(message, to: subject) }
                try await context.eventually("received \(first.all.count) and \(second.all.count) of 100 messages") {
                    first.all.last == messages.last && second.all.last == messages.last
                }
                try context.expect(first.all.suffix(100) == messages[...], "the order was changed")
                try context.expect(second.all.suffix(100) == messages[...], "the order was changed")
                try context.expect(wrong.all.isEmpty, "a message arrived under another subject")
            },
            Check("an empty message and one of the maximum size arrive, and a larger one is refused") { context in
                let transport = try await context.connect()
                let (subject, received) = (try context.subject(), Received<[UInt8]>())
                _ = try subscribe(transport, subject, received)
                try await untilSubscribed(context, transport, subject, [received])
                let largest = [UInt8](repeating: 7, count: transport.maximumPayload)
                try transport.publish([], to: subject)
                try transport.publish(largest, to: subject)
                try await context.eventually("the messages have not arrived") { received.all.last == largest }
                try context.expect(received.all.contains([]), "the empty message has not arrived")
                try await context.expectError("payloadTooLarge") {
                    try transport.publish(largest + [1], to: subject)
                } where: {
                    $0 == .payloadTooLarge(size: largest.count + 1, limit: largest.count)
                }
            },
            Check("after disposal of a subscription no message arrives, and no error") { context in
                let transport = try await context.connect()
                let (subject, received, other) = (try context.subject(), Received<[UInt8]>(), Received<[UInt8]>())
                let subscription = try subscribe(transport, subject, received)
                _ = try subscribe(transport, subject, other)
                try await untilSubscribed(context, transport, subject, [received, other])
                subscription.dispose()
                try context.expect(subscription.isDisposed, "it does not say that it is disposed of")
                let count = received.all.count
                try transport.publish([UInt8]("late"), to: subject)
                try await context.eventually("the other subscription has stopped") { other.all.last == [UInt8]("late") }
                await context.environment.pause()
                try context.expect(received.all.count, is: count, "messages after the disposal")
                transport.close()
                await context.environment.pause()
                try context.expect(received.failures.isEmpty, "an error after the disposal")
            },
            Check("a handler may dispose of its own subscription") { context in
                let transport = try await context.connect()
                let (subject, received) = (try context.subject(), Received<[UInt8]>())
                let own = Locked<(any Disposable)?>(nil)
                let subscription = try transport.subscribe(
                    to: subject,
                    receive: { bytes in
                        received.add(bytes.withUnsafeBytes { [UInt8]($0) })
                        own.withLock { $0 }?.dispose()
                    }, failed: { received.fail($0) })
                own.withLock { $0 = subscription }
                try await context.eventually("nothing has arrived") {
                    try transport.publish([1], to: subject)
                    await context.environment.pause()
                    return subscription.isDisposed
                }
                try transport.publish([2], to: subject)
                await context.environment.pause()
                try context.expect(!received.all.contains([2]), "a message after the disposal")
                own.withLock { $0 = nil }
            },
        ]
    }

    static func subscribe(
        _ transport: any Transport, _ subject: Subject, _ received: Received<[UInt8]>
    ) throws -> any Disposable {
        try transport.subscribe(
            to: subject, receive: { bytes in received.add(bytes.withUnsafeBytes { [UInt8]($0) }) },
            failed: { received.fail($0) })
    }

    /// Sends messages until all subscriptions receive.
    static func untilSubscribed(
        _ context: ContractContext, _ transport: any Transport, _ subject: Subject, _ all: [Received<[UInt8]>]
    ) async throws {
        try await context.eventually("a subscription receives nothing") {
            try transport.publish([UInt8]("hello"), to: subject)
            await context.environment.pause()
            return all.allSatisfy { !$0.all.isEmpty }
        }
    }
}
