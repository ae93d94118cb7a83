import ReactiveCluster
import ReactiveSignals

extension TransportContract {
    static var lifeChecks: [Check] {
        [
            Check("a closed transport fails what waits, and refuses what comes") { context in
                let transport = try await context.connect()
                let (subject, received, waiting) = (
                    try context.subject(), Received<[UInt8]>(), Received<TransportError>()
                )
                let requests = Received<TransportRequest>()
                let server = try await context.connect("server")
                _ = try server.serve(subject, queue: .servers, answer: { requests.add($0) }, failed: { _ in })
                _ = try subscribe(transport, try context.subject(), received)
                let bucket = try await transport.bucket(try context.bucket())
                let events = Received<BucketEvent>()
                _ = try bucket.watch(nil) { events.add($0) }
                SignalProducer<[UInt8], TransportError>.async { () async throws(TransportError) in
                    try await transport.request([1], to: subject, timeout: .seconds(3600))
                }.startWithError { waiting.add($0) }
                try await context.eventually("the request has not arrived") {
                    !requests.all.isEmpty || !waiting.all.isEmpty
                }
                transport.close()
                transport.close()
                try await context.eventually("the request still waits") { !waiting.all.isEmpty }
                try await context.eventually("the subscription does not fail") { received.failures == [.closed] }
                try await context.eventually("the watch does not fail") { events.all.last == .failed(.closed) }
                try context.expect(transport.connection.value, is: .closed(nil), "the state")
                try await context.expectError("closed") {
                    try transport.publish([1], to: subject)
                } where: {
                    $0 == .closed
                }
                try await context.expectError("closed") {
                    _ = try await transport.request([1], to: subject, timeout: .seconds(1))
                } where: {
                    $0 == .closed
                }
                try await context.expectError("closed") {
                    _ = try await bucket.get(try BucketKey("a"))
                } where: {
                    $0 == .closed
                }
            },
            Check("draining sends what was published, and closes") { context in
                let (sender, receiver) = (try await context.connect("sender"), try await context.connect("receiver"))
                let (subject, received) = (try context.subject(), Received<[UInt8]>())
                _ = try subscribe(receiver, subject, received)
                try await untilSubscribed(context, sender, subject, [received])
                for number in 0..<100 as Range<UInt8> { try sender.publish([number, 1], to: subject) }
                await sender.drain(timeout: .seconds(5))
                try context.expect(sender.connection.value, is: .closed(nil), "the state")
                try await context.eventually("received \(received.all.count)") { received.all.last == [99, 1] }
            },
            Check("subscriptions, servers and streams survive a reconnect", needsInterruption: true) { context in
                let (client, other) = (try await context.connect("client"), try await context.connect("other"))
                let (subject, service) = (try context.subject(), try context.subject())
                let received = Received<[UInt8]>()
                _ = try subscribe(client, subject, received)
                _ = try client.serve(service, queue: .servers, answer: { $0.answer($0.payload) }, failed: { _ in })
                let stream = try await client.stream(try context.stream())
                _ = try await stream.append([1], id: nil, expecting: nil)
                try await untilSubscribed(context, other, subject, [received])
                let states = Received<ConnectionState>()
                client.connection.producer.startWithNext { states.add($0) }
                try await context.environment.interrupt(client)
                try await context.eventually("no reconnect: \(states.all)") {
                    states.all.count >= 3 && client.connection.value.isConnected
                }
                try context.expect(states.all.contains { !$0.isConnected }, "the states \(states.all)")
                let numbers = states.all.compactMap { state in
                    if case .connected(let number) = state { number } else { nil }
                }
                try context.expect(numbers == Array(Set(numbers)).sorted(), "the connections \(numbers)")
                try await context.eventually("the subscription receives nothing") {
                    try other.publish([UInt8]("again"), to: subject)
                    await context.environment.pause()
                    return received.all.last == [UInt8]("again")
                }
                try await context.eventually("the server answers nothing") {
                    try await attempt { try await other.request([5], to: service, timeout: .seconds(1)) } == [5]
                }
                try await context.eventually("the stream does not work") {
                    try await attempt { try await stream.append([2], id: "x", expecting: 1).sequence } == 2
                }
                try context.expect(received.failures.isEmpty, "the subscription has failed")
            },
            Check("a watch reports what has changed during an interruption", needsInterruption: true) { context in
                let (client, other) = (try await context.connect("client"), try await context.connect("other"))
                let configuration = try context.bucket()
                let bucket = try await client.bucket(configuration)
                let writer = try await other.bucket(configuration)
                let (a, b) = (try BucketKey("a"), try BucketKey("b"))
                _ = try await writer.put([1], for: a, id: nil)
                _ = try await writer.put([1], for: b, id: nil)
                let events = Received<BucketEvent>()
                _ = try bucket.watch(nil) { events.add($0) }
                try await context.eventually("no snapshot") { events.all.contains(.synchronized) }
                let before = events.all.count
                try await context.environment.interrupt(client)
                _ = try await writer.put([2], for: a, id: nil)
                try await writer.delete(b)
                try await context.eventually("not synchronized again: \(events.all)") {
                    let after = events.all.dropFirst(before)
                    return after.last == .synchronized
                        || after.contains { if case .deleted(b, _) = $0 { true } else { false } }
                }
                await context.environment.pause()
                let after = events.all.dropFirst(before)
                let isReported = after.contains { event in
                    if case .value(let entry) = event { entry.key == a && entry.value == [2] } else { false }
                }
                try context.expect(isReported, "the change is not reported: \(after)")
                let isDeleted = after.contains { if case .deleted(b, _) = $0 { true } else { false } }
                let isSnapshot = after.contains(.interrupted(isSnapshot: true))
                try context.expect(isDeleted || isSnapshot, "the deletion is not reported: \(after)")
                let revisions = events.all.compactMap { event in
                    if case .value(let entry) = event, entry.key == a { entry.revision } else { nil }
                }
                try context.expect(revisions == revisions.sorted(), "the revisions descend: \(revisions)")
            },
            Check("a cursor goes on after an interruption, or says that it cannot", needsInterruption: true) {
                context in
                let (client, other) = (try await context.connect("client"), try await context.connect("other"))
                let configuration = try context.stream()
                let stream = try await client.stream(configuration)
                let writer = try await other.stream(configuration)
                let (entries, last) = (Received<UInt64>(), Locked<UInt64>(0))
                let start = SignalProducer<Void, Never>.async { () async in
                    var cursor = stream.read(after: 0)
                    while !Task.isCancelled {
                        do throws(TransportError) {
                            for entry in try await cursor.next(upTo: 7) {
                                entries.add(entry.sequence)
                                last.withLock { $0 = entry.sequence }
                            }
                        } catch {
                            if !error.isTransient { break }
                            cursor.close()
                            cursor = stream.read(after: last.withLock { $0 })
                            await context.environment.pause()
                        }
                    }
                    cursor.close()
                }.start()
                for number in 1...100 as ClosedRange<UInt64> {
                    if number == 30 { try await context.environment.interrupt(client) }
                    _ = try await writer.append([1], id: "\(number)", expecting: nil)
                }
                try await context.eventually("received \(entries.all.count) of 100") { entries.all.count >= 100 }
                await context.environment.pause()
                try context.expect(entries.all, is: Array(1...100), "the sequences")
                start.dispose()
            },
        ]
    }
}
