import ReactiveCluster
import ReactiveSignals

extension TransportContract {
    static var streamChecks: [Check] {
        [
            Check("entries are numbered from 1, and read in order by every cursor") { context in
                let (writer, reader) = (try await context.connect("writer"), try await context.connect("reader"))
                let configuration = try context.stream()
                let stream = try await writer.stream(configuration)
                try context.expect(try await stream.bounds(), is: StreamBounds(first: 1, last: 0), "the bounds")
                for number in 1...300 as ClosedRange<UInt64> {
                    let receipt = try await stream.append([UInt8]("\(number)"), id: nil, expecting: nil)
                    try context.expect(receipt, is: AppendReceipt(sequence: number), "the receipt")
                }
                let other = try await reader.stream(configuration)
                try context.expect(try await other.bounds(), is: StreamBounds(first: 1, last: 300), "the bounds")
                for start in [0, 1, 150, 299] as [UInt64] {
                    let cursor = other.read(after: start)
                    let entries = try await read(cursor, Int(300 - start), limit: 64, context)
                    let expected = (start + 1...300).map { StreamEntry(sequence: $0, payload: [UInt8]("\($0)")) }
                    try context.expect(entries == expected, "the entries after \(start)")
                    cursor.close()
                }
            },
            Check("a cursor waits for the next entry") { context in
                let transport = try await context.connect()
                let stream = try await transport.stream(try context.stream())
                let (cursor, entries) = (stream.read(after: 0), Received<StreamEntry>())
                let start = SignalProducer<Void, TransportError>.async { () async throws(TransportError) in
                    while true { for entry in try await cursor.next(upTo: 8) { entries.add(entry) } }
                }.start()
                await context.environment.pause()
                for number in 1...20 as ClosedRange<UInt8> {
                    _ = try await stream.append([number], id: nil, expecting: nil)
                }
                try await context.eventually("received \(entries.all.count) of 20") { entries.all.count == 20 }
                try context.expect(entries.all.map(\.payload) == (1...20).map { [$0] }, "the entries")
                start.dispose()
                cursor.close()
            },
            Check("a cancelled wait loses no entry, and a closed cursor throws") { context in
                let transport = try await context.connect()
                let stream = try await transport.stream(try context.stream())
                let (cursor, errors) = (stream.read(after: 0), Received<TransportError>())
                let wait = SignalProducer<Void, Never>.async { () async in
                    do throws(TransportError) { _ = try await cursor.next(upTo: 1) } catch { errors.add(error) }
                }
                let start = wait.start()
                await context.environment.pause()
                start.dispose()
                try await context.eventually("it has not thrown") { errors.all == [.cancelled] }
                _ = try await stream.append([1], id: nil, expecting: nil)
                let entries = try await cursor.next(upTo: 5)
                try context.expect(entries == [StreamEntry(sequence: 1, payload: [1])], "the entry: \(entries)")
                wait.start()
                await context.environment.pause()
                cursor.close()
                try await context.eventually("closing does not end the wait") { errors.all == [.cancelled, .closed] }
                try await context.expectError("closed") {
                    _ = try await cursor.next(upTo: 1)
                } where: {
                    $0 == .closed
                }
            },
            Check("an append with a known id has no effect, whatever it expects") { context in
                let transport = try await context.connect()
                let stream = try await transport.stream(try context.stream())
                _ = try await stream.append([1], id: "a", expecting: 0)
                _ = try await stream.append([2], id: "b", expecting: 1)
                for expected in [nil, 0, 2] as [UInt64?] {
                    let receipt = try await stream.append([1], id: "a", expecting: expected)
                    try context.expect(receipt, is: AppendReceipt(sequence: 1, isDuplicate: true), "the receipt")
                }
                try context.expect(try await stream.bounds().last, is: 2, "the last sequence")
            },
            Check("an append that expects another sequence is refused") { context in
                let transport = try await context.connect()
                let stream = try await transport.stream(try context.stream())
                for expected in [1, 5] as [UInt64] {
                    try await context.expectError("conflict") {
                        _ = try await stream.append([1], id: nil, expecting: expected)
                    } where: {
                        if case .conflict(expected, _) = $0 { true } else { false }
                    }
                }
                _ = try await stream.append([1], id: nil, expecting: 0)
                try await context.expectError("conflict") {
                    _ = try await stream.append([2], id: nil, expecting: 0)
                } where: {
                    if case .conflict(0, _) = $0 { true } else { false }
                }
                try context.expect(try await stream.bounds().last, is: 1, "the last sequence")
            },
            Check("of writers that expect the same sequence, one wins") { context in
                let configuration = try context.stream()
                var streams: [any TransportStream] = []
                for name in ["a", "b", "c"] {
                    streams.append(try await context.connect(name).stream(configuration))
                }
                for round in 0..<20 as Range<UInt64> {
                    let results = Received<Bool>()
                    for stream in streams {
                        SignalProducer<AppendReceipt, TransportError>.async { () async throws(TransportError) in
                            try await stream.append([1], id: nil, expecting: round)
                        }.startWithResult { result in
                            if case .success = result { results.add(true) } else { results.add(false) }
                        }
                    }
                    try await context.eventually("no result") { results.all.count == 3 }
                    try context.expect(results.all.filter { $0 }.count, is: 1, "the winners of round \(round)")
                }
            },
            Check("reading from removed entries, or from beyond the end, fails") { context in
                let transport = try await context.connect()
                let stream = try await transport.stream(try context.stream { $0.maximumEntries = 10 })
                for number in 1...25 as ClosedRange<UInt8> {
                    _ = try await stream.append([number], id: nil, expecting: nil)
                }
                try context.expect(try await stream.bounds(), is: StreamBounds(first: 16, last: 25), "the bounds")
                for start in [0, 3, 14] as [UInt64] {
                    let cursor = stream.read(after: start)
                    try await context.expectError("compacted") {
                        _ = try await cursor.next(upTo: 5)
                    } where: {
                        $0 == .compacted(from: 16)
                    }
                    cursor.close()
                }
                let cursor = stream.read(after: 15)
                try context.expect(try await cursor.next(upTo: 1).map(\.sequence), is: [16], "the first entry")
                cursor.close()
                let beyond = stream.read(after: 40)
                try await context.expectError("sequenceBeyondEnd") {
                    _ = try await beyond.next(upTo: 5)
                } where: {
                    $0 == .sequenceBeyondEnd(requested: 40, last: 25)
                }
                beyond.close()
            },
            Check("a stream that exists is opened again, but not with another configuration") { context in
                let transport = try await context.connect()
                let configuration = try context.stream()
                let stream = try await transport.stream(configuration)
                _ = try await stream.append([1], id: nil, expecting: nil)
                let again = try await transport.stream(configuration)
                try context.expect(try await again.bounds().last, is: 1, "the last sequence")
                var other = configuration
                other.maximumEntries = 5
                let changed = other
                try await context.expectError("configurationMismatch") {
                    _ = try await transport.stream(changed)
                } where: {
                    if case .configurationMismatch(configuration.name.description, _) = $0 { true } else { false }
                }
            },
            Check("an entry that is too large is refused") { context in
                let transport = try await context.connect()
                let stream = try await transport.stream(try context.stream())
                let limit = transport.maximumPayload
                try await context.expectError("payloadTooLarge") {
                    _ = try await stream.append([UInt8](repeating: 1, count: limit + 1), id: nil, expecting: nil)
                } where: {
                    $0 == .payloadTooLarge(size: limit + 1, limit: limit)
                }
            },
        ]
    }

    /// Reads a number of entries.
    static func read(
        _ cursor: any TransportCursor, _ count: Int, limit: Int, _ context: ContractContext
    ) async throws -> [StreamEntry] {
        var entries: [StreamEntry] = []
        while entries.count < count {
            let batch = try await cursor.next(upTo: limit)
            try context.expect((1...limit).contains(batch.count), "a batch of \(batch.count) entries")
            entries += batch
        }
        return entries
    }
}
