import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Signal.pipe(capacity:)", .watched)
struct SignalSenderTests {
    @Test("delivers all values in order, however much faster the sender is")
    func order() {
        let pipe = BoundedPipe<Int>(capacity: 2)
        let consumer = pipe.consumer(.suspending(3))
        let (input, executor) = (pipe.input, pipe.executor)
        Task(executorPreference: executor) {
            for value in 0..<100 { await input.send(value) }
            input.sendCompleted()
        }
        executor.run()
        consumer.take(101)
        expect(consumer.values, is: Array(0..<100))
        #expect(consumer.isOver)
    }

    @Test("has room for what the consumer buffers and the capacity", arguments: [1, 2, 64], [1, 3, 64])
    func room(capacity: Int, buffer: Int) {
        let pipe = BoundedPipe<Int>(capacity: capacity)
        let consumer = pipe.consumer(.suspending(buffer))
        expect(pipe.fill(with: 1), is: buffer + capacity)
        for _ in 0..<3 {
            consumer.take()
            expect(pipe.fill(with: 1), is: 1, "each value taken makes room for one")
        }
        consumer.take(buffer + capacity)
        expect(pipe.fill(with: 1), is: buffer + capacity)
    }

    @Test("suspends a sender until the consumer holds no more than its own number")
    func suspension() {
        let pipe = BoundedPipe<Int>(capacity: 3)
        let consumer = pipe.consumer(.suspending(2))
        expect(pipe.fill(with: 0), is: 5)
        let sending = pipe.send(1)
        consumer.take(2)
        #expect(sending.result == nil)
        consumer.take()
        #expect(sending.result == true)
        consumer.take(3)
        expect(consumer.values, is: [0, 0, 0, 0, 0, 1])
    }

    @Test("resumes a sender once for as many values as the capacity, not for each")
    func steps() {
        let pipe = BoundedPipe<Int>(capacity: 50)
        let consumer = pipe.consumer(.suspending(50))
        let (input, executor) = (pipe.input, pipe.executor)
        Task(executorPreference: executor) {
            for value in 0..<1_100 { await input.send(value) }
        }
        // It sends 100, and then 50 each time that it goes on.
        let before = executor.steps
        executor.run()
        consumer.take(1_100)
        expect(executor.steps - before, is: 1 + 1_000 / 50 + 1_100)
    }

    @Test("with a capacity of 1, lets a value in for each that is taken")
    func capacityOfOne() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let consumer = pipe.consumer(.suspending(4))
        expect(pipe.fill(with: 0), is: 5)
        for _ in 0..<10 {
            let sending = pipe.send(1)
            #expect(sending.result == nil)
            consumer.take()
            #expect(sending.result == true)
        }
    }

    @Test("delivers immediately to closures and to other policies, which suspend no sender")
    func closures() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let log = pipe.signal.logged()
        let consumers = [pipe.consumer(.newest(1)), pipe.consumer(.oldest(1)), pipe.consumer(.unbounded)]
        for value in 0..<100 { #expect(pipe.send(value).result == true) }
        for value in 100..<200 { #expect(pipe.input.trySend(value)) }
        expect(log.all, is: (0..<200).map { "\($0)" })
        for consumer in consumers { consumer.take() }
        expect(consumers.flatMap(\.values), is: [199, 0, 0])
    }

    @Test("sends also while nothing observes it")
    func unobserved() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        for value in 0..<10 { #expect(pipe.send(value).result == true) }
        let consumer = pipe.consumer(.suspending(1))
        expect(pipe.fill(with: 10), is: 2, "begins with the making of the iterator")
        consumer.take()
        expect(consumer.values, is: [10])
    }

    @Test("waits for the slowest consumer, and no longer when that has gone")
    func slowest() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let slow = pipe.consumer(.suspending(2))
        let fast = pipe.consumer(.suspending(10))
        pipe.fill(with: 0)
        let sendings = [pipe.send(1), pipe.send(2)]
        fast.take(3)
        expect(sendings.map(\.result), is: [nil, nil])
        slow.release()
        pipe.executor.run()
        expect(sendings.map(\.result), is: [true, true])
        fast.take(2)
        expect(fast.values, is: [0, 0, 0, 1, 2])
    }

    @Test("a consumer that is cancelled while it waits no longer suspends senders")
    func cancelledWaiting() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let consumer = pipe.consumer(.suspending(1))
        consumer.take()
        consumer.cancel()
        pipe.executor.run()
        #expect(consumer.isOver)
        for value in 0..<9 { #expect(pipe.input.trySend(value)) }
    }

    @Test("a consumer whose task is cancelled while it handles a value no longer holds up the others")
    func cancelledInTheMiddle() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let executor = pipe.executor
        let values = pipe.signal.values(buffering: .suspending(1))
        let log = Log<Int>()
        let handling = Locked<UnsafeContinuation<Void, Never>?>(nil)
        let task = Task(executorPreference: executor) {
            for try await value in values {
                log.append(value)
                // Handles the value until the test goes on.
                await withUnsafeContinuation { continuation in handling.withLock { $0 = continuation } }
            }
        }
        executor.run()
        pipe.send(1)
        pipe.fill(with: 2)
        let sending = pipe.send(3)
        #expect(sending.result == nil)
        task.cancel()
        handling.withLock { $0.take() }?.resume()
        executor.run()
        expect(log.all, is: [1])
        #expect(sending.result == true, "nothing observes the signal any more")
    }

    @Test("gives the turn to senders in the order in which they came, and lets nothing overtake them")
    func firstInFirstOut() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let consumer = pipe.consumer(.suspending(1))
        pipe.fill(with: -1)
        let sendings = (0..<1_000).map { pipe.send($0) }
        #expect(sendings.allSatisfy { $0.result == nil })
        for index in sendings.indices {
            consumer.take()
            #expect(!pipe.input.trySend(-2), "not even now that a value has been taken")
            #expect(sendings[index].result == true)
            if index < 999 { #expect(sendings[index + 1].result == nil) }
        }
        consumer.take(2)
        expect(consumer.values.dropFirst(2).map { $0 }, is: Array(0..<1_000))
    }

    @Test("works through operators that share the gate", arguments: [1, 5])
    func operators(capacity: Int) {
        let pipe = BoundedPipe<Int>(capacity: capacity)
        let consumer = BoundedConsumer(
            pipe.signal.map { $0 * 2 }.filter { $0 % 4 == 0 }.values(buffering: .suspending(1)), pipe.executor)
        for value in 0...(2 * capacity) { #expect(pipe.input.trySend(value)) }
        #expect(!pipe.input.trySend(0))
        consumer.take(2)
        expect(consumer.values, is: [0, 4])
    }

    @Test("is not held up by a consumer whose stream has ended before the signal")
    func endedDownstream() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let consumer = BoundedConsumer(
            pipe.signal.take(first: 2).values(buffering: .suspending(1)), pipe.executor)
        for value in 0..<10 { #expect(pipe.input.trySend(value)) }
        consumer.take(3)
        expect(consumer.values, is: [0, 1])
        #expect(consumer.isOver)
        #expect(pipe.input.trySend(10))
    }

    @Test("keeps all values that an operator makes of one")
    func expansion() {
        let pipe = BoundedPipe<[Int]>(capacity: 1)
        let consumer = BoundedConsumer(
            pipe.signal.flatten().values(buffering: .suspending(2)), pipe.executor)
        #expect(pipe.input.trySend(Array(0..<10)))
        let sending = pipe.send([10])
        consumer.take(7)
        #expect(sending.result == nil)
        consumer.take()
        #expect(sending.result == true)
        consumer.take(3)
        expect(consumer.values, is: Array(0...10))
    }

    @Test("has no room inside a delivery of its own")
    func reentry() {
        let pipe = BoundedPipe<Int>(capacity: 9)
        let (input, executor) = (pipe.input, pipe.executor)
        let log = Log<String>()
        pipe.signal.observe { event in
            log.append("\(event.text)")
            guard case .next(1) = event else { return }
            log.append("room: \(input.trySend(2))")
            Task.immediate(executorPreference: executor) { log.append("sent 3: \(await input.send(3))") }
            log.append("done")
        }
        #expect(pipe.input.trySend(1))
        executor.run()
        expect(log.all, is: ["1", "room: false", "done", "3", "sent 3: true"])
        // The observer holds the input of its own signal.
        input.sendCompleted()
    }

    @Test("releases a value that has been refused or dropped, outside every lock")
    func releases() {
        let population = Population()
        let pipe = BoundedPipe<Population.Member>(capacity: 1)
        let input = pipe.input
        let consumer = pipe.consumer(.suspending(1))
        // A value that sends in its `deinit` would wait forever if a lock were held.
        func member() -> Population.Member { population.member { _ = input.trySend(population.member()) } }
        _ = input.trySend(member())
        _ = input.trySend(member())
        expect(population.alive, is: 2)
        #expect(!input.trySend(population.member()))
        expect(population.alive, is: 2)
        let sending = pipe.send(population.member())
        expect(population.alive, is: 3)
        sending.cancel()
        pipe.executor.run()
        expect(population.alive, is: 2)
        consumer.release()
        expect(population.alive, is: 0)
    }

    @Test("traps without capacity")
    func capacities() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.pipe(capacity: 0)
        }
        zero.expectTrap("pipe(capacity: 0): the capacity must be positive")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.pipe(capacity: -3)
        }
        negative.expectTrap("pipe(capacity: -3)")
    }

    @Test("takes the greatest capacity, and the greatest buffer")
    func greatest() {
        let pipe = BoundedPipe<Int>(capacity: .max)
        let consumer = pipe.consumer(.suspending(.max))
        for value in 0..<1_000 { #expect(pipe.input.trySend(value)) }
        consumer.take(1_000)
        expect(consumer.values, is: Array(0..<1_000))
    }

    @Test("a plain input cannot wait for room", .notUnderSanitizers)
    func plainPipe() throws {
        let messages = try compilerMessages(
            about: """
                func f() async {
                    let (_, input) = Signal<Int, Never>.pipe()
                    _ = await input.trySend(1)
                }
                """)
        #expect(messages.contains("has no member 'trySend'"), "\(messages)")
    }
}

@Suite("values(buffering: .suspending)", .watched)
struct SuspendingPolicyTests {
    @Test("traps where nothing can be suspended, or no value fits")
    func traps() async throws {
        let plain = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.never.values(buffering: .suspending(64))
        }
        plain.expectTrap("values(buffering: .suspending(64)): nothing that sends to this stream can be suspended")
        let decoupled = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.pipe(capacity: 1).output.sample(on: Signal<Int, Never>.never).events(buffering: .suspending(2))
        }
        decoupled.expectTrap("events(buffering: .suspending(2)): nothing that sends")
        let empty = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.pipe(capacity: 1).output.values(buffering: .suspending(0))
        }
        empty.expectTrap("values(buffering: .suspending(0)): the count must be positive")
    }

    @Test("suspends for events as well, and the terminal event needs no room")
    func events() {
        let executor = HandDrivenExecutor()
        let (signal, input) = Source.pipe(capacity: 1)
        let iterator = Locked(signal.events(buffering: .suspending(1)).makeAsyncIterator())
        #expect(input.trySend(1))
        #expect(input.trySend(2))
        #expect(!input.trySend(3))
        input.sendError(.first)
        #expect(!input.trySend(4))
        let log = Log<String>()
        Task(executorPreference: executor) {
            nonisolated(unsafe) var events = iterator.withLock { $0 }
            while let event = await events.next() { log.append(event.text) }
        }
        executor.run()
        expect(log.all, is: ["1", "2", "error first"])
    }

    @Test("drops nothing, and says so")
    func droppedCount() {
        let (signal, input) = Source.pipe(capacity: 1)
        let values = signal.values(buffering: .suspending(1))
        let iterator = values.makeAsyncIterator()
        for value in 0..<9 { _ = input.trySend(value) }
        expect(values.droppedCount, is: 0)
        withExtendedLifetime(iterator) {}
    }
}
