import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization
import Testing

private func log(_ signal: RemoteSignal<String>) -> Log<Delivery<String>> {
    let log = Log<Delivery<String>>()
    signal.deliveries().startWithResult { if case .success(let delivery) = $0 { log.add(delivery) } }
    return log
}

/// The bytes of a message, as a program in another language would write them.
private func message(
    version: UInt8 = 1, kind: UInt8 = 0, origin: Origin, epoch: UInt64 = 1, _ sequence: UInt64, _ text: String = ""
) -> [UInt8] {
    var bytes = [UInt8(ascii: "R"), version, kind, 0]
    for number in [origin.id, epoch, sequence] {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes + Array(text.utf8)
}

private func checkSlowObserver() throws {
    let (subject, origin) = (try Subject("values"), Origin("sender"))
    let (scheduler, transport) = (TestScheduler(), LoopbackTransport())
    let receiver = RemoteSignal(subject, over: transport, codec: .bytes, on: scheduler)
    let (values, lost) = (Log<Int>(), Log<UInt64>())
    receiver.deliveries().startWithResult { result in
        switch result {
        case .success(.value(let bytes)): values.add(bytes.count)
        case .success(.gap(let count, _)): lost.add(count)
        default: preconditionFailure("\(result)")
        }
    }
    var bytes = message(origin: origin, 1, String(repeating: "x", count: 100))
    func publish(_ sequence: UInt64) throws {
        withUnsafeBytes(of: sequence.littleEndian) { bytes.replaceSubrange(20..<28, with: $0) }
        try transport.publish(bytes, to: subject)
    }
    for sequence in 1...1_000_000 as ClosedRange<UInt64> { try publish(sequence) }
    // It has held what it delivers now.
    scheduler.advance()
    #expect(values.all.count == 4096)
    #expect(lost.all == [1_000_000 - 4096])
    try publish(1_000_001)
    scheduler.advance()
    #expect(values.all.count == 4097)
    #expect(lost.all.count == 1)
}

@Suite("A remote signal", .patient)
struct RemoteSignalTests {
    private let subject: Subject
    private let origin = Origin("sender")

    init() throws { subject = try Subject("values") }

    @Test("delivers what another process publishes, and what is bound to it")
    func values() async throws {
        try await onSimulatedNetwork { simulation in
            let (here, there) = (await simulation.connect("here"), await simulation.connect("there"))
            let sender = RemoteSignal(subject, over: here, codec: .utf8, on: simulation.scheduler)
            let receiver = RemoteSignal(subject, over: there, codec: .utf8, on: simulation.scheduler)
            let log = log(receiver)
            try sender.publish("a")
            let (signal, input) = Signal<String, Never>.pipe()
            sender <~ signal
            input.sendNext("b")
            sender.publish(SignalProducer(["c", "d"]))
            await simulation.advance(100)
            #expect(log.all == ["a", "b", "c", "d"].map { .value($0) })
        }
    }

    @Test("reports a loss at the end when the beacon arrives")
    func beacon() async throws {
        try await onSimulatedNetwork { simulation in
            let (here, there) = (await simulation.connect("here"), await simulation.connect("there"))
            let sender = RemoteSignal(subject, over: here, codec: .utf8, as: origin, on: simulation.scheduler)
            let log = log(RemoteSignal(subject, over: there, codec: .utf8, on: simulation.scheduler))
            try sender.publish("a")
            await simulation.advance(100)
            simulation.network.faults.loss = 1
            try sender.publish("b")
            try sender.publish("c")
            await simulation.advance(100)
            simulation.network.faults.loss = 0
            #expect(log.all == [.value("a")])
            await simulation.advance(10_000)
            #expect(log.all == [.value("a"), .gap(lost: 2, origin)])
            try sender.publish("d")
            await simulation.advance(100)
            #expect(log.all == [.value("a"), .gap(lost: 2, origin), .value("d")])
        }
    }

    @Test("throws and counts what cannot be sent: without a connection, too large, not encodable")
    func unsent() async throws {
        try await onSimulatedNetwork { simulation in
            struct Odd: Error {}
            let codec = Codec<String>(
                encode: { text, bytes in
                    if text == "odd" { throw Odd() }
                    bytes.append(contentsOf: text.utf8)
                }, decode: { bytes in bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } })
            let (here, there) = (await simulation.connect("here"), await simulation.connect("there"))
            var limits = RemoteSignal<String>.Limits()
            limits.message = 100
            let sender = RemoteSignal(
                subject, over: here, codec: codec, as: origin, limits: limits, on: simulation.scheduler)
            let log = log(RemoteSignal(subject, over: there, codec: .utf8, on: simulation.scheduler))
            let unsent = Log<TransportError>()
            sender.unsent.observeNext { unsent.add($0) }
            try sender.publish("a")
            #expect(throws: TransportError.encoding("Odd()")) { try sender.publish("odd") }
            let large = String(repeating: "x", count: 100)
            #expect(throws: TransportError.payloadTooLarge(size: 128, limit: 100)) { try sender.publish(large) }
            await simulation.advance(100)
            simulation.network.cut(["here"])
            await simulation.advance(1000)
            #expect(throws: TransportError.disconnected) { try sender.publish("b") }
            sender.bindingTarget.action("c")
            simulation.network.heal()
            await simulation.advance(1000)
            try sender.publish("d")
            await simulation.advance(100)
            #expect(log.all.first == .value("a"))
            #expect(log.all.last == .value("d"))
            #expect(
                log.all.dropFirst().dropLast().reduce(0) { if case .gap(let n, origin) = $1 { $0 + n } else { $0 } }
                    == 4)
            #expect(
                unsent.all == [
                    .encoding("Odd()"), .payloadTooLarge(size: 128, limit: 100), .disconnected, .disconnected,
                ])
        }
    }

    @Test("reports messages that it cannot read, and goes on")
    func unreadable() throws {
        let (scheduler, transport) = (TestScheduler(), LoopbackTransport())
        var limits = RemoteSignal<String>.Limits()
        limits.message = 40
        let log = log(RemoteSignal(subject, over: transport, codec: .utf8, limits: limits, on: scheduler))
        try transport.publish(message(origin: origin, 1, "a"), to: subject)
        try transport.publish([1, 2, 3], to: subject)
        try transport.publish(Array("R".utf8) + [UInt8](repeating: 0, count: 40), to: subject)
        try transport.publish(message(version: 9, kind: 77, origin: origin, 2, "?"), to: subject)
        try transport.publish(message(origin: origin, 3, String(repeating: "x", count: 20)), to: subject)
        try transport.publish(message(origin: origin, 4) + [0xFF], to: subject)
        try transport.publish(message(origin: origin, 6, "b"), to: subject)
        scheduler.advance()
        func unreadable(_ sequence: UInt64?, _ reason: UnreadableMessage.Reason) -> Delivery<String> {
            .unreadable(
                UnreadableMessage(
                    place: "values", origin: sequence == nil ? nil : origin, sequence: sequence, reason: reason))
        }
        #expect(
            log.all == [
                .value("a"), unreadable(nil, .foreign), unreadable(nil, .foreign), unreadable(2, .newerVersion(9)),
                unreadable(3, .tooLarge(size: 48, limit: 40)),
                unreadable(4, .decoding("the bytes are not UTF-8")), .gap(lost: 1, origin), .value("b"),
            ])
    }

    @Test("drops repeated and overtaken messages, and reports a restart")
    func order() throws {
        let (scheduler, transport) = (TestScheduler(), LoopbackTransport())
        let log = log(RemoteSignal(subject, over: transport, codec: .utf8, on: scheduler))
        for (epoch, sequence) in [(1, 5), (1, 5), (1, 7), (1, 6), (2, 1), (2, 2), (1, 9), (3, 3), (3, 4)]
            as [(UInt64, UInt64)]
        {
            try transport.publish(message(origin: origin, epoch: epoch, sequence, "\(epoch).\(sequence)"), to: subject)
        }
        scheduler.advance()
        #expect(
            log.all == [
                .value("1.5"), .gap(lost: 1, origin), .value("1.7"), .restarted(origin), .value("2.1"), .value("2.2"),
                // The former incarnation is late.
                .restarted(origin), .gap(lost: 1, origin), .value("1.9"), .restarted(origin), .gap(lost: 2, origin),
                .value("3.3"), .value("3.4"),
            ])
    }

    @Test("holds a bounded number of messages while its observer stops for a million, and reports the loss")
    func slow() throws { try checkSlowObserver() }

    @Test("shares the memory of messages with values that want it, and never changes it afterwards")
    func shared() throws {
        let (scheduler, transport) = (TestScheduler(), LoopbackTransport())
        let sender = RemoteSignal<SharedBytes>(subject, over: transport, codec: .sharedBytes, on: TestScheduler())
        let receiver = RemoteSignal<SharedBytes>(subject, over: transport, codec: .sharedBytes, on: scheduler)
        let log = Log<SharedBytes>()
        receiver.values().startWithResult { if case .success(let bytes) = $0 { log.add(bytes) } }
        for round in 0..<10 as Range<UInt8> {
            for index in 0..<100 as Range<UInt8> {
                try sender.publish(SharedBytes([UInt8](repeating: round, count: Int(index)) + [index]))
            }
            scheduler.advance()
        }
        let received = log.all.map { [UInt8]($0) }
        let expected = (0..<10 as Range<UInt8>).flatMap { round in
            (0..<100 as Range<UInt8>).map { [UInt8](repeating: round, count: Int($0)) + [$0] }
        }
        #expect(received == expected)
        #expect(log.all[5] == SharedBytes([0, 0, 0, 0, 0, 5]))
        #expect(log.all[5] != log.all[6])
    }

    @Test("uses the memory of arrays again, and never changes one that somebody has")
    func arrays() throws {
        let (scheduler, transport) = (TestScheduler(), LoopbackTransport())
        let sender = RemoteSignal(subject, over: transport, codec: .bytes, on: TestScheduler())
        let receiver = RemoteSignal(subject, over: transport, codec: .bytes, on: scheduler)
        let (all, some, kept) = (Log<[UInt8]>(), Log<[UInt8]>(), Log<[UInt8]>())
        receiver.values().startWithResult { if case .success(let bytes) = $0 { all.add(bytes) } }
        // Every third one is kept, so that others are overwritten.
        receiver.values().startWithResult { result in
            if case .success(let bytes) = result, bytes[0] % 3 == 0 { some.add(bytes) }
        }
        receiver.deliveries().startWithResult { if case .success(.value(let bytes)) = $0 { kept.add(bytes) } }
        // Equal sizes, sizes that grow and shrink, empty arrays after the first byte, and large ones.
        let sizes = [1, 64, 64, 64, 0, 64, 50, 64, 511, 512, 513, 5000, 64, 70_000, 64, 3, 3, 3]
        var sent: [[UInt8]] = []
        for round in 0..<5 {
            for (index, size) in sizes.enumerated() {
                let number = UInt8(round * sizes.count + index)
                sent.append([number] + [UInt8](repeating: number, count: min(size, 65_000)))
                try sender.publish(sent[sent.count - 1])
            }
            if round % 2 == 0 { scheduler.advance() }
        }
        scheduler.advance()
        #expect(all.all == sent)
        #expect(kept.all == sent)
        #expect(some.all == sent.filter { $0[0] % 3 == 0 })
    }

    @Test("reads a backlog of many megabytes in order, with messages of all sizes")
    func backlog() throws {
        let (scheduler, transport) = (TestScheduler(), LoopbackTransport())
        var limits = RemoteSignal<SharedBytes>.Limits()
        limits.message = 1 << 20
        limits.waitingBytes = 64 << 20
        let sender = RemoteSignal(
            subject, over: transport, codec: .sharedBytes, limits: limits, on: TestScheduler())
        let receiver = RemoteSignal(subject, over: transport, codec: .sharedBytes, limits: limits, on: scheduler)
        let log = Log<SharedBytes>()
        receiver.deliveries().startWithResult { result in
            if case .success(.value(let bytes)) = result { log.add(bytes) } else { Issue.record("\(result)") }
        }
        let sizes = [0, 1, 7, 8, 9, 100, 4000, 4060, 4068, 4096, 30_000, 65_492, 65_500, 65_536, 70_000, 1_000_000]
        var sent: [[UInt8]] = []
        for round in 0..<8 as Range<UInt8> {
            for size in sizes + sizes.reversed() {
                sent.append([UInt8](repeating: round &+ UInt8(truncatingIfNeeded: size), count: size))
                try sender.publish(SharedBytes(sent[sent.count - 1]))
            }
            if round == 3 { scheduler.advance() }
        }
        scheduler.advance()
        #expect(log.all.count == sent.count)
        #expect(zip(log.all, sent).allSatisfy { [UInt8]($0) == $1 })
    }

    @Test("numbers and reports each value on its own when one fails, or publishes another one")
    func failures() throws {
        struct Odd: Error {}
        let (scheduler, transport) = (TestScheduler(), LoopbackTransport(maximumPayload: 200))
        let nested = Mutex<RemoteSignal<String>?>(nil)
        let codec = Codec<String>(
            encode: { text, bytes in
                bytes.append(contentsOf: text.utf8)
                if text == "odd" { throw Odd() }
                if text == "outer" { try nested.withLock { $0 }?.publish("inner") }
            },
            decode: { bytes in String(decoding: bytes.withUnsafeBytes { [UInt8]($0) }, as: UTF8.self) })
        let signal = RemoteSignal(subject, over: transport, codec: codec, as: origin, on: scheduler)
        nested.withLock { $0 = signal }
        defer { nested.withLock { $0 = nil } }
        let (log, unsent) = (log(signal), Log<TransportError>())
        signal.unsent.observeNext { unsent.add($0) }
        let long = String(repeating: "x", count: 200)
        try signal.publish("a")
        #expect(throws: TransportError.encoding("Odd()")) { try signal.publish("odd") }
        try signal.publish("b")
        #expect(throws: TransportError.payloadTooLarge(size: 228, limit: 200)) { try signal.publish(long) }
        try signal.publish("outer")
        try signal.publish("c")
        scheduler.advance()
        #expect(
            log.all == [
                .value("a"), .gap(lost: 1, origin), .value("b"), .gap(lost: 1, origin), .value("inner"),
                .value("outer"), .value("c"),
            ])
        #expect(unsent.all == [.encoding("Odd()"), .payloadTooLarge(size: 228, limit: 200)])
    }

    @Test("forgets the origin that was silent longest when there are too many")
    func origins() throws {
        let (scheduler, transport) = (TestScheduler(), LoopbackTransport())
        let log = log(RemoteSignal(subject, over: transport, codec: .utf8, on: scheduler))
        for id in 0...1024 as ClosedRange<UInt64> {
            try transport.publish(message(origin: Origin(id: id), 1, "a"), to: subject)
        }
        try transport.publish(message(origin: Origin(id: 1), 3, "b"), to: subject)
        try transport.publish(message(origin: Origin(id: 0), 3, "c"), to: subject)
        scheduler.advance()
        #expect(log.all.suffix(3) == [.gap(lost: 1, Origin(id: 1)), .value("b"), .value("c")])
    }

    @Test("fails if its transport is closed, and is disposed of with its start")
    func ends() async throws {
        try await onSimulatedNetwork { simulation in
            let transport = await simulation.connect("here")
            let signal = RemoteSignal(subject, over: transport, codec: .utf8, on: simulation.scheduler)
            let (errors, log) = (Log<TransportError>(), log(signal))
            signal.deliveries().startWithError { errors.add($0) }
            let start = signal.deliveries().start { event in
                if case .next = event { Issue.record("\(event) after the disposal") }
            }
            start.dispose()
            try signal.publish("a")
            await simulation.advance(100)
            #expect(log.all == [.value("a")])
            transport.close()
            await simulation.advance(100)
            #expect(errors.all == [.closed])
            #expect(throws: TransportError.closed) { try signal.publish("b") }
            signal.deliveries().startWithError { errors.add($0) }
            #expect(errors.all == [.closed, .closed])
        }
    }
}
