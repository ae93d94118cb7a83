import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("values(buffering:) of properties", .watched)
struct ValuesBufferingTests {
    @Test("returns the value at the creation of the iterator, then the changes, and ends with the property")
    func values() async {
        var property: MutableProperty<Int>? = MutableProperty(1)
        let sequence = property?.values(buffering: .unbounded)
        property?.value = 2
        var values = sequence?.makeAsyncIterator()
        property?.value = 3
        property?.value = 4
        property = nil
        var received: [Int] = []
        while let value = await values?.next() { received.append(value) }
        expect(received, is: [2, 3, 4])
    }

    @Test("returns only the latest value to a slow consumer with .newest(1)")
    func latest() async {
        let property = MutableProperty(0)
        let sequence = property.values(buffering: .newest(1))
        var values = sequence.makeAsyncIterator()
        for number in 1...10 { property.value = number }
        #expect(await values.next() == 10)
        expect(sequence.droppedCount, is: 10)
    }

    @Test("returns the value of a constant property, then ends")
    func constant() async {
        var values = Property(value: 5).values(buffering: .newest(1)).makeAsyncIterator()
        #expect(await values.next() == 5)
        #expect(await values.next() == nil)
    }

    @Test("works for derived properties")
    func derived() async {
        let property = MutableProperty(1)
        var values = property.map { $0 * 10 }.values(buffering: .unbounded).makeAsyncIterator()
        property.value = 2
        #expect(await values.next() == 10)
        #expect(await values.next() == 20)
    }

    @Test("disposes of the observation when the task is cancelled or the iterator is released")
    func disposal() {
        let property = MutableProperty(1)
        let executor = HandDrivenExecutor()
        let log = Log<Int>()
        let task = Task(executorPreference: executor) {
            for await value in property.values(buffering: .unbounded) { log.append(value) }
            log.append(-1)
        }
        executor.run()
        #expect(property.signal.core.isObserved)
        task.cancel()
        #expect(!property.signal.core.isObserved)
        property.value = 2
        executor.run()
        expect(log.all, is: [1, -1])

        var values: AsyncValues<Int, Never>.Iterator? = property.values(buffering: .unbounded).makeAsyncIterator()
        withExtendedLifetime(values) { #expect(property.signal.core.isObserved) }
        values = nil
        #expect(!property.signal.core.isObserved)
    }

    @Test("matches the model over random interleavings", arguments: 0..<5)
    func model(part: UInt64) {
        for seed in 0..<thorough(500) {
            checkRandomRound(seed: part * 500 + UInt64(seed)) { sent, population in
                let holder = Locked<MutableProperty<Parcel>?>(MutableProperty(Parcel(0, population)))
                // The first value is sent to each iterator when the iterator is created.
                sent.append(0)
                let property = holder.withLock { $0 }
                property?.signal.observeNext { sent.append($0.number) }
                return Bridge<Never>(
                    endings: [.completed], send: { parcel in holder.withLock { $0 }?.value = parcel },
                    end: { _ in
                        let former = holder.withLock { $0.take() }
                        withExtendedLifetime(former) {}
                    },
                    // Created while the property exists.
                    values: { policy in holder.withLock { $0 }.unsafelyUnwrapped.values(buffering: policy) })
            }
        }
    }

    @Test("traps unless the buffer has room for a value")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableProperty(1).values(buffering: .newest(0))
        }
        result.expectTrap("values(buffering: .newest(0))")
    }
}
