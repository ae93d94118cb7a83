import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// What senders and consumers of a signal with back-pressure must do, if each step is complete before the next one.
private struct BoundedModel {
    struct Buffer {
        let share: Int
        var values: [Int] = []
        var isBehind = false
        var isWaiting = false
        var received: [Int] = []
    }

    let capacity: Int
    var buffers: [Int: Buffer] = [:]
    var line: [Int] = []
    /// By the values, which are numbered.
    var results: [Int: Bool] = [:]
    var hasEnded = false

    func isFull(_ buffer: Buffer) -> Bool { buffer.values.count >= buffer.share + capacity }

    var hasRoom: Bool { !hasEnded && line.isEmpty && !buffers.values.contains(where: isFull) }

    mutating func deliver(_ value: Int) {
        results[value] = true
        for key in buffers.keys {
            buffers[key]!.values.append(value)
            supply(key)
            if isFull(buffers[key]!) { buffers[key]!.isBehind = true }
        }
    }

    /// Passes a value to a consumer that waits.
    mutating func supply(_ key: Int) {
        guard buffers[key]!.isWaiting, !buffers[key]!.values.isEmpty else { return }
        buffers[key]!.received.append(buffers[key]!.values.removeFirst())
        buffers[key]!.isWaiting = false
    }

    mutating func goOn() {
        for key in buffers.keys where buffers[key]!.values.count <= buffers[key]!.share {
            buffers[key]!.isBehind = false
        }
        while !line.isEmpty, !buffers.values.contains(where: \.isBehind) { deliver(line.removeFirst()) }
    }

    mutating func send(_ value: Int) {
        if hasEnded {
            results[value] = false
        } else if hasRoom {
            deliver(value)
        } else {
            line.append(value)
            goOn()
        }
    }

    mutating func trySend(_ value: Int) -> Bool {
        guard hasRoom else { return false }
        deliver(value)
        return true
    }

    mutating func take(_ key: Int) {
        buffers[key]!.isWaiting = true
        supply(key)
        goOn()
    }

    mutating func cancel(_ value: Int) {
        line.removeAll { $0 == value }
        results[value] = false
        goOn()
    }

    mutating func remove(_ key: Int) {
        buffers[key] = nil
        goOn()
    }

    mutating func end() {
        hasEnded = true
        for value in line { results[value] = false }
        line = []
    }
}

@Suite("random scripts of senders and consumers", .watched)
struct SignalSenderModelTests {
    /// Runs random steps against the model, and returns how many.
    private func run(seed: UInt64, steps: Int) -> Int {
        var random = SplitMix64(seed: seed)
        let capacity = random.number(in: 1...4)
        let pipe = BoundedPipe<Int>(capacity: capacity)
        var model = BoundedModel(capacity: capacity)
        var consumers: [Int: BoundedConsumer<Int>] = [:]
        var sendings: [Int: BoundedPipe<Int>.Sending] = [:]
        var (lastKey, lastValue) = (0, 0)
        func check(_ what: String) {
            for (value, sending) in sendings {
                expect(sending.result, is: model.results[value], "seed \(seed), \(what), value \(value)")
                if sending.result != nil { sendings[value] = nil }
            }
            for (key, consumer) in consumers {
                expect(consumer.values, is: model.buffers[key]!.received, "seed \(seed), \(what), consumer \(key)")
            }
        }
        for step in 0..<steps {
            let keys = consumers.keys.sorted()
            switch random.number(in: 0...99) {
            case 0..<35:
                lastValue += 1
                sendings[lastValue] = pipe.send(lastValue)
                model.send(lastValue)
                check("send")
            case 35..<50:
                lastValue += 1
                expect(pipe.input.trySend(lastValue), is: model.trySend(lastValue), "seed \(seed), step \(step)")
                pipe.executor.run()
                check("trySend")
            case 50..<88:
                guard !keys.isEmpty else { break }
                let key = random.pick(keys)
                guard !model.buffers[key]!.isWaiting else { break }
                consumers[key]?.take()
                model.take(key)
                check("take")
            case 88..<93:
                guard !model.line.isEmpty else { break }
                let value = random.pick(model.line)
                sendings[value]?.cancel()
                model.cancel(value)
                pipe.executor.run()
                check("cancel")
            case 93..<96:
                guard consumers.count < 3 else { break }
                lastKey += 1
                let share = random.number(in: 1...4)
                consumers[lastKey] = pipe.consumer(.suspending(share))
                model.buffers[lastKey] = BoundedModel.Buffer(share: share)
            case 96..<98:
                guard let key = keys.first(where: { !model.buffers[$0]!.isWaiting }) else { break }
                consumers.removeValue(forKey: key)?.release()
                model.remove(key)
                pipe.executor.run()
                check("release")
            default:
                guard let key = keys.first(where: { model.buffers[$0]!.isWaiting }) else { break }
                consumers.removeValue(forKey: key)?.cancel()
                model.remove(key)
                pipe.executor.run()
                check("cancel a consumer")
            }
        }
        pipe.input.sendCompleted()
        model.end()
        pipe.executor.run()
        check("end")
        for (key, consumer) in consumers {
            while !consumer.isOver {
                if !consumer.isWaiting { consumer.request() }
                pipe.executor.run()
            }
            let buffer = model.buffers[key]!
            expect(consumer.values, is: buffer.received + buffer.values, "seed \(seed), the rest")
        }
        expect(pipe.signal.core.senders?.count, is: 0)
        return steps
    }

    @Test("agree with the model, in many random steps")
    func model() {
        var steps = 0
        var seed: UInt64 = 1
        while steps < thorough(100_000) {
            steps += run(seed: seed, steps: 500)
            seed += 1
        }
    }

    /// Tasks of several threads send, some are cancelled, and one consumer takes all.
    private func race(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (signal, input) = Source.pipe(capacity: random.number(in: 1...3))
        let count = random.number(in: 1...20)
        let share = random.number(in: 1...3)
        let isStoppedEarly = random.once(in: 4)
        let executor = HandDrivenExecutor()
        let results = Log<(value: Int, isSent: Bool)>()
        let received = Log<Int>()
        let isDone = DoneFlag()
        let iterator = Locked<AsyncValues<Int, TestError>.Iterator?>(
            signal.values(buffering: .suspending(share)).makeAsyncIterator())
        Task(executorPreference: executor) {
            nonisolated(unsafe) var values = iterator.withLock { $0.take() }
            while let value = try? await values?.next() {
                received.append(value)
                if isStoppedEarly, received.count == count { break }
            }
            values = nil
            isDone.raise()
        }
        let remaining = Locked(3)
        onThreads(4, "senders") { index in
            guard index < 3 else { return executor.run(until: isDone) }
            let own = HandDrivenExecutor()
            own.run {
                for number in 1...count {
                    let value = index * 1_000 + number
                    let task = Task(executorPreference: own) { await input.send(value) }
                    if number % 5 == index { task.cancel() }
                    results.append((value, await task.value))
                }
            }
            let isLast = remaining.withLock { remaining in
                remaining -= 1
                return remaining == 0
            }
            if isLast { input.sendCompleted() }
        }
        let sent = results.all.filter(\.isSent).map(\.value)
        let all = received.all
        expect(Set(all).count, is: all.count, "seed \(seed): nothing twice")
        for index in 0..<3 {
            let own = all.filter { $0 / 1_000 == index }
            expect(own, is: own.sorted(), "seed \(seed): each sender's values in order")
        }
        if isStoppedEarly {
            #expect(Set(all).isSubset(of: sent), "seed \(seed)")
        } else {
            expect(Set(all), is: Set(sent), "seed \(seed): what was sent, and nothing else")
        }
    }

    @Test("lose nothing and deliver nothing twice when several threads send")
    func races() {
        for seed in 1...UInt64(raceRounds) { race(seed: seed) }
    }
}
