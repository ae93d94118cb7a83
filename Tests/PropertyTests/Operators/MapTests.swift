import ReactiveSignals
import TestSupport
import Testing

private struct Point: Sendable {
    var x = 0
    var y = 0
}

@Suite("map of properties", .watched)
struct MapTests {
    @Test("has the closure's result for the source's value")
    func map() {
        let source = MutableProperty(1)
        let mapped = source.map { "<\($0)>" }
        let log = mapped.logged()
        expect(mapped.value, is: "<1>")
        source.value = 2
        expect(mapped.value, is: "<2>")
        source.value = 2
        expect(log.all, is: ["<1>", "<2>", "<2>"])
    }

    @Test("calls its closure once when it is first read or observed, then once per change")
    func calls() {
        let source = MutableProperty(1)
        let calls = Counter()
        let mapped = source.map { value in
            calls.increment()
            return value
        }
        expect(calls.value, is: 0)
        _ = (mapped.value, mapped.value)
        let logs = [mapped.logged(), mapped.logged()]
        expect(calls.value, is: 1)
        source.set(2, 3)
        expect(calls.value, is: 3)
        #expect(logs.allSatisfy { $0.all == ["1", "2", "3"] })
    }

    @Test("accepts a key path")
    func keyPath() {
        let source = MutableProperty(Point())
        let mapped = source.map(\.x)
        let log = mapped.logged()
        source.modify { $0.x = 1 }
        source.modify { $0.y = 1 }
        expect(log.all, is: ["0", "1", "1"])
    }

    @Test("ends with its source, and not before")
    func ends() {
        let owner = Owner(1)
        let mapped = owner.property.map { $0 }
        let log = mapped.logged()
        expect(log.all, is: ["1"])
        owner.release()
        expect(log.all, is: ["1", "completed"])
        expect(mapped.map { $0 + 1 }.logged().all, is: ["2", "completed"])
    }

    @Test("releases its closure when it is released, and its value when the next one is computed")
    func releases() {
        let population = Population()
        let source = MutableProperty(1)
        do {
            let mapped = source.map { _ in population.member() }
            for _ in 0..<2 {
                mapped.value.touch()
                expect(population.alive, is: 1)
                source.set(2, 3)
                expect(population.alive, is: 1)
            }
            let observation = mapped.producer.startWithNext { $0.touch() }
            expect(population.alive, is: 1)
            source.set(4, 5)
            expect(population.alive, is: 1)
            observation.dispose()
        }
        expect(population.alive, is: 0)
    }

    @Test("a closure can read any property, including its own if that is observed")
    func readsInside() {
        let source = MutableProperty(1)
        let own = Owner<Property<Int>?>(nil)
        let read = Log<Int>()
        let mapped = source.map { [weak source] value in
            read.append(source?.value ?? -1)
            if let own = own.property.value { read.append(own.value) }
            return value
        }
        let observation = mapped.signal.observe { _ in }
        own.property.value = mapped
        source.value = 2
        expect(mapped.value, is: 2)
        expect(read.all, is: [1, 1, 1], "the former values")
        own.release()
        observation?.dispose()
    }

    @Test("sets, ends and releases chains of thousands on a main thread's stack", arguments: [false, true])
    func deep(ends: Bool) {
        let last = Log<String>()
        onMainSizedStack("many maps") {
            let owner = Owner(0)
            var property = Property(owner.property)
            for _ in 0..<manyStages { property = property.map { $0 + 1 } }
            property.signal.observe { last.append($0.text) }
            owner.property.value = 1
            if ends {
                owner.release()
                expect(property.value, is: manyStages + 1)
            } else {
                property = Property(value: 0)
            }
        }
        expect(last.all.first, is: "\(manyStages + 1)")
        expect(last.all.last, is: "completed")
    }

    @Test("releases a chain of thousands on a main thread's stack when its observer is disposed of")
    func deepDisposal() {
        let population = Population()
        onMainSizedStack("many maps") {
            let source = MutableProperty(0)
            let disposable = {
                let member = population.member()
                var property = Property(source)
                for _ in 0..<manyStages {
                    property = property.map { value in
                        member.touch()
                        return value + 1
                    }
                }
                return property.signal.observe { _ in }
            }()
            source.value = 1
            expect(population.alive, is: 1)
            disposable?.dispose()
            expect(population.alive, is: 0)
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(MutableProperty(1).map { $0 }.signal.name, is: "[property] -map:")
    }
}
