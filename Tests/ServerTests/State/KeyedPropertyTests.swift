import HotSignals
import ReactiveServer
import ReactiveSignals
import TestSupport
import Testing

@Suite("KeyedProperty", .watched)
struct KeyedPropertyTests {
    private func expect(
        _ values: [Int: Int], in rooms: KeyedProperty<Int, Int>, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(rooms.value == values, sourceLocation: location)
        #expect(rooms.count.value == values.count, sourceLocation: location)
        for key in 0..<8 { #expect(rooms[key] == values[key], sourceLocation: location) }
    }

    @Test("has the values that are set, and none that is removed")
    func reading() throws {
        let rooms = KeyedProperty([1: 10], maxKeys: 8)
        expect([1: 10], in: rooms)
        try rooms.set(11, for: 1)
        try rooms.set(20, for: 2)
        expect([1: 11, 2: 20], in: rooms)
        #expect(rooms.remove(1) == 11)
        #expect(rooms.remove(1) == nil)
        #expect(rooms.remove(7) == nil)
        expect([2: 20], in: rooms)
    }

    @Test("tells the observers of the key, and of the whole, each change once")
    func observers() throws {
        let rooms = KeyedProperty<Int, Int>(maxKeys: 8)
        let (one, two, all, count) = (
            rooms.property(for: 1).signal.logged(), rooms.property(for: 2).signal.logged(), Log<String>(),
            rooms.count.signal.logged()
        )
        rooms.changes.observeNext { all.append("\($0.key): \($0.value.map(String.init) ?? "none")") }
        try rooms.set(10, for: 1)
        try rooms.set(10, for: 1)
        try rooms.set(20, for: 2)
        rooms.remove(1)
        rooms.remove(1)
        try rooms.set(12, for: 1)
        TestSupport.expect(one.all, is: ["Optional(10)", "Optional(10)", "nil", "Optional(12)"])
        TestSupport.expect(two.all, is: ["Optional(20)"])
        TestSupport.expect(all.all, is: ["1: 10", "1: 10", "2: 20", "1: none", "1: 12"])
        TestSupport.expect(count.all, is: ["1", "2", "1", "2"])
    }

    @Test("a value is visible, and counted, before its event")
    func visible() throws {
        let rooms = KeyedProperty<Int, Int>(maxKeys: 8)
        let log = Log<String>()
        rooms.changes.observeNext { [unowned rooms] change in
            log.append("\(change.value == rooms[change.key]), \(rooms.count.value), \(rooms.value.count)")
        }
        try rooms.set(1, for: 1)
        try rooms.set(2, for: 2)
        rooms.remove(1)
        TestSupport.expect(log.all, is: ["true, 1, 1", "true, 2, 2", "true, 1, 1"])
    }

    @Test("values of optional and of reference types can be nil, equal or shared")
    func optionals() throws {
        let settings = KeyedProperty<String, Int?>(maxKeys: 2)
        try settings.set(nil, for: "a")
        #expect(settings["a"] == .some(nil))
        #expect(settings.count.value == 1)
        #expect(settings.value == ["a": nil])
        #expect(settings.remove("a") == .some(nil))
        #expect(settings["a"] == nil)
        #expect(settings.count.value == 0)
    }

    @Test("a property that is made before the key has a value, or kept after it was removed, follows the key")
    func follows() throws {
        let rooms = KeyedProperty<Int, Int>(maxKeys: 8)
        var doubled: Property<Int?>? = rooms.property(for: 1).map { $0.map { $0 * 2 } }
        let log = doubled?.signal.logged()
        for value in [1, 2] {
            try rooms.set(value, for: 1)
            rooms.remove(1)
        }
        TestSupport.expect(log?.all, is: ["Optional(2)", "nil", "Optional(4)", "nil"])
        #expect(doubled?.value == .some(nil))
        doubled = nil
        try rooms.set(3, for: 1)
        #expect(rooms[1] == 3)
    }

    @Test("refuses one key too many, and nothing changes")
    func limit() throws {
        let rooms = KeyedProperty([1: 1], maxKeys: 2)
        let log = rooms.changes.map { "\($0.key)" }.logged()
        let count = rooms.count.signal.logged()
        try rooms.set(2, for: 2)
        #expect(throws: KeyLimitReached.self) { try rooms.set(3, for: 3) }
        #expect(throws: KeyLimitReached.self) { try rooms.transaction([1, 3]) { $0 = [7, 7] } }
        expect([1: 1, 2: 2], in: rooms)
        try rooms.set(4, for: 2)
        try rooms.transaction([1, 3]) { $0 = [nil, 5] }
        expect([2: 4, 3: 5], in: rooms)
        TestSupport.expect(Array(log.all.prefix(2)), is: ["2", "2"])
        // Between keys there is no order.
        TestSupport.expect(log.all.dropFirst(2).sorted(), is: ["1", "3"])
        TestSupport.expect(count.all, is: ["2"])
    }

    @Test("a transaction changes several keys in one step")
    func transaction() throws {
        let quota = KeyedProperty(["a": 10, "b": 0], maxKeys: 8)
        let sum = quota.property(for: "a").combineLatest(with: quota.property(for: "b"))
            .map { ($0.0 ?? 0) + ($0.1 ?? 0) }
        let log = sum.signal.logged()
        let moved = try quota.transaction(["a", "b"]) { values in
            values = [6, 4]
            return 4
        }
        #expect(moved == 4)
        TestSupport.expect(log.all, is: ["10"])
        #expect(quota.value == ["a": 6, "b": 4])
    }

    @Test("views compute a key when it changes, and no other")
    func views() throws {
        let computed = Log<Int>()
        let rooms = KeyedProperty([1: 1, 2: 2, 3: 3], maxKeys: 8)
        let view = rooms.filter { _, value in value % 2 == 1 }.mapValues { value in
            computed.append(value)
            return value * 10
        }
        #expect(view.value == [1: 10, 3: 30])
        #expect(view[2] == nil)
        #expect(view[3] == 30)
        let (log, changes) = (view.property(for: 2).signal.logged(), Log<String>())
        view.changes.observeNext { changes.append("\($0.key): \($0.value ?? 0)") }
        computed.removeAll()
        try rooms.set(5, for: 2)
        try rooms.set(7, for: 1)
        try rooms.set(4, for: 2)
        TestSupport.expect(log.all, is: ["Optional(50)", "nil"])
        TestSupport.expect(changes.all, is: ["2: 50", "1: 70", "2: 0"])
        TestSupport.expect(computed.all.filter { $0 != 5 && $0 != 7 }, is: [])
    }

    @Test("everything completes when it is released, and properties keep their values")
    func release() throws {
        var rooms: KeyedProperty<Int, Int>? = KeyedProperty([1: 1], maxKeys: 8)
        let (one, two) = (rooms?.property(for: 1), rooms?.property(for: 2))
        let (view, count) = (rooms?.view, rooms?.count)
        let logs = [
            one?.signal.logged(), two?.signal.logged(), view?.changes.map { $0.key }.logged(), count?.signal.logged(),
        ]
        rooms = nil
        for log in logs { TestSupport.expect(log?.all, is: ["completed"]) }
        #expect(one?.value == 1 && two?.value == .some(nil) && count?.value == 1)
        let late = view?.property(for: 3).signal.logged()
        TestSupport.expect(late?.all, is: ["interrupted"])
    }

    @Test("a key that has no value, and that nobody observes, takes no memory")
    func memory() throws {
        final class Key: Hashable, Sendable {
            let number: Int
            init(_ number: Int) { self.number = number }
            static func == (a: Key, b: Key) -> Bool { a.number == b.number }
            func hash(into hasher: inout Hasher) { hasher.combine(number) }
        }
        let rooms = KeyedProperty<Key, Int>(maxKeys: 8)
        weak var key: Key?
        func use(_ body: (Key) throws -> Void) rethrows {
            let new = Key(1)
            key = new
            try body(new)
        }
        try use { try rooms.set(1, for: $0) }
        #expect(key != nil)
        rooms.remove(Key(1))
        #expect(key == nil)
        use { _ = rooms.property(for: $0).value }
        #expect(key == nil)
        var property: Property<Int?>?
        use { property = rooms.property(for: $0).map { $0 } }
        try rooms.set(2, for: Key(1))
        rooms.remove(Key(1))
        #expect(key != nil && property?.value == .some(nil))
        property = nil
        #expect(key == nil)
    }

    @Test("keys with equal hash values, and keys that use the object themselves")
    func keys() throws {
        struct Key: Hashable {
            static let rooms = Locked<KeyedProperty<Key, Int>?>(nil)
            let number: Int
            func hash(into hasher: inout Hasher) {
                hasher.combine(number % 2)
                // Would deadlock under a lock of the object.
                if number >= 100 { _ = Key.rooms.withLock { $0 }?.count.value }
            }
            static func == (a: Key, b: Key) -> Bool {
                if a.number >= 100 { _ = Key.rooms.withLock { $0 }?.count.value }
                return a.number == b.number
            }
        }
        let rooms = KeyedProperty<Key, Int>(maxKeys: 300)
        Key.rooms.withLock { $0 = rooms }
        for number in 0..<200 { try rooms.set(number, for: Key(number: number)) }
        for number in 0..<200 { #expect(rooms[Key(number: number)] == number) }
        for number in 0..<200 { rooms.remove(Key(number: number)) }
        #expect(rooms.value.isEmpty)
        Key.rooms.withLock { $0 = nil }
    }

    @Test("threads that set, remove and move agree with what is observed", arguments: 0..<4)
    func threads(seed: Int) {
        let rooms = KeyedProperty([0: 50, 1: 50], maxKeys: 6)
        let seen = Locked<[Int: Int]>(rooms.value)
        rooms.changes.observeNext { change in seen.withLock { $0[change.key] = change.value } }
        let stops = AtomicFlag()
        let reader = TestThread("reads") {
            while !stops.isRaised {
                let values = rooms.value
                #expect(values.count <= 6)
                #expect((values[0] ?? 0) + (values[1] ?? 0) == 100)
            }
        }
        let setters = (0..<3).map { number in
            TestThread("sets \(number)") {
                var random = SplitMix64(seed: UInt64(seed * 10 + number))
                for round in 0..<500 {
                    let key = random.number(in: 2...9)
                    switch random.number(in: 0...3) {
                    case 0: rooms.remove(key)
                    case 1:
                        try? rooms.transaction([number % 2, 1 - number % 2]) { values in
                            values[0] = (values[0] ?? 0) - 1
                            values[1] = (values[1] ?? 0) + 1
                        }
                    default: try? rooms.set(round, for: key)
                    }
                }
            }
        }
        for setter in setters { setter.join() }
        stops.raise()
        reader.join()
        let values = rooms.value
        #expect(seen.withLock { $0 } == values)
        #expect(rooms.count.value == values.count)
    }

    @Test("a random sequence of changes has the results of a dictionary", arguments: 0..<20)
    func model(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let rooms = KeyedProperty<Int, Int>(maxKeys: 5)
        let log = Log<String>()
        rooms.changes.observeNext { log.append("\($0.key) \($0.value ?? -1)") }
        var held: [Int: Property<Int?>] = [:]
        var (model, expected) = ([Int: Int](), [String]())
        for round in 0..<500 {
            let key = random.number(in: 0...7)
            switch random.number(in: 0...5) {
            case 0:
                #expect(rooms.remove(key) == model[key])
                if model.removeValue(forKey: key) != nil { expected.append("\(key) -1") }
            case 1: held[key] = held[key] == nil ? rooms.property(for: key) : nil
            case 2:
                let other = (key + 1) % 8
                let next = [random.once(in: 2) ? nil : round, round]
                var result = model
                (result[key], result[other]) = (next[0], next[1])
                let isAllowed = result.count <= 5
                let isDone = (try? rooms.transaction([key, other]) { $0 = next }) != nil
                #expect(isDone == isAllowed)
                if isAllowed {
                    model = result
                    // The order of two events of one step is up to the library.
                    let events = ["\(key) \(next[0] ?? -1)", "\(other) \(round)"]
                    let last = Array(log.all.suffix(2))
                    expected += last.sorted() == events.sorted() ? last : events
                }
            default:
                let isAllowed = model[key] != nil || model.count < 5
                let isDone = (try? rooms.set(round, for: key)) != nil
                #expect(isDone == isAllowed)
                if isAllowed {
                    model[key] = round
                    expected.append("\(key) \(round)")
                }
            }
            #expect(rooms.value == model)
            for (key, property) in held { #expect(property.value == model[key]) }
        }
        TestSupport.expect(log.all, is: expected)
    }

    /// A key whose code tells whether it is called where a property must not be set.
    private struct WatchedKey: Hashable {
        static let isCalledInSection = AtomicFlag()
        let number: Int

        static func == (first: WatchedKey, second: WatchedKey) -> Bool {
            watch()
            return first.number == second.number
        }

        func hash(into hasher: inout Hasher) {
            Self.watch()
            hasher.combine(number)
        }

        private static func watch() { if PureSection.isCurrent { isCalledInSection.raise() } }
    }

    @Test("calls no code of a key in a body, also while threads add and remove keys")
    func keysOutsideBodies() {
        let rooms = KeyedProperty<WatchedKey, Int>(maxKeys: 10_000)
        for number in 0..<2_000 { try? rooms.set(number, for: WatchedKey(number: number)) }
        let isOver = AtomicFlag()
        onThreads(3, "adding") { thread in
            if thread == 0 {
                for _ in 0..<20 { #expect(rooms.value.count >= 2_000) }
                isOver.raise()
            }
            let key = WatchedKey(number: 10_000 + thread)
            while !isOver.isRaised {
                try? rooms.set(1, for: key)
                rooms.remove(key)
            }
        }
        TestSupport.expect(WatchedKey.isCalledInSection.isRaised, is: false)
    }

    @Test("traps name the number of keys")
    func traps() async throws {
        let none = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = KeyedProperty<Int, Int>(maxKeys: 0)
        }
        none.expectTrap("KeyedProperty(maxKeys: 0): the number of keys must be positive")
        let few = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = KeyedProperty([1: 1, 2: 2], maxKeys: 1)
        }
        few.expectTrap("KeyedProperty(maxKeys: 1): there are 2 values already")
    }
}
