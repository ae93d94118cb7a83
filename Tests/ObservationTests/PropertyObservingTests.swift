import Foundation
import HotSignals
import Observation
import ReactiveObservation
import ReactiveSignals
import TestSupport
import Testing

private enum Request {
    @TaskLocal static var id = "none"
}

/// An actor with a model of its own.
private actor Counting {
    let tally = Tally()
    let log = Log<Int>()
    private(set) var property: Property<Int>?
    private let observation = SerialDisposable()

    func follow() {
        let property = Property(observing: { self.tally.count })
        observation.inner = property.signal.observeNext { [log] value in
            self.assertIsolated()
            log.append(value)
        }
        self.property = property
    }

    /// Changes the model several times without a suspension.
    func count(to number: Int) { for next in 1...number { tally.count = next } }

    /// Releases the property, whose closure retains this actor.
    func stop() {
        observation.dispose()
        property = nil
    }
}

@Suite("Property(observing:)", .watched, .offThePool)
struct PropertyObservingTests {
    // MARK: Values

    @Test("has the value at once, and follows the changes of a model that threads share")
    func shared() async {
        let model = SharedModel(1)
        let property = Property(observing: { model.value })
        let log = Log<Int>()
        let observation = property.signal.observeNext { log.append($0) }
        defer { observation?.dispose() }
        expect(property.value, is: 1)
        for number in 2...5 {
            model.value = number
            #expect(await eventually { property.value == number })
        }
        #expect(await eventually { log.all.last == 5 })
        expect(log.all, is: log.all.sorted())
        #expect(property.producer.name.contains("property"))
    }

    @MainActor @Test("follows a model of the main actor, on the main actor")
    func mainActor() async {
        let cart = Cart()
        let property = Property(observing: { cart.prices.reduce(0, +) - cart.discount })
        let log = Log<Int>()
        let observation = property.signal.observeNext { value in
            MainActor.assertIsolated()
            log.append(value)
        }
        defer { observation?.dispose() }
        expect(property.value, is: 0)
        cart.prices.append(10)
        #expect(await eventually { property.value == 10 })
        // One event for changes without a suspension in between.
        cart.prices.append(5)
        cart.prices[0] = 20
        cart.discount = 1
        #expect(await eventually { property.value == 24 })
        expect(log.all, is: [10, 24])
    }

    @Test("follows a model that an actor owns, on that actor")
    func actorModel() async {
        let counting = Counting()
        await counting.follow()
        await counting.count(to: 3)
        #expect(await eventually { counting.log.all == [3] })
        await counting.count(to: 5)
        #expect(await eventually { counting.log.all == [3, 5] })
        let property = await counting.property
        expect(property?.value, is: 5)
        await counting.stop()
    }

    @Test("observes exactly what the last reading has read")
    func dependencies() async {
        let (isFirst, first, second) = (SharedModel(true), SharedModel(1), SharedModel(10))
        let reads = Counter()
        let property = Property(observing: { () -> Int in
            reads.increment()
            return isFirst.value ? first.value : second.value
        })
        expect(reads.value, is: 3)
        second.value = 11
        first.value = 2
        #expect(await eventually { property.value == 2 })
        expect(reads.value, is: 6)
        isFirst.value = false
        #expect(await eventually { property.value == 11 })
        second.value = 12
        #expect(await eventually { property.value == 12 })
        let before = reads.value
        first.value = 3
        second.value = 13
        #expect(await eventually { property.value == 13 })
        expect(reads.value, is: before + 3)
    }

    @Test("follows what it reads because of a change that another thread makes while it reads for the first time")
    func changeOfDependencies() async {
        let (isFirst, first, second) = (SharedModel(true), SharedModel(1), SharedModel(10))
        let hasRead = OnceFlag()
        let property = Property(observing: { () -> Int in
            let value = isFirst.value ? first.value : second.value
            // Observation does not report this change, because nothing has been registered yet.
            if hasRead.raise() { TestThread("change") { isFirst.value = false }.join() }
            return value
        })
        expect(property.value, is: 10)
        second.value = 11
        #expect(await eventually { property.value == 11 })
    }

    @Test("never changes if it reads nothing observable")
    func constant() {
        let property = Property(observing: { 7 })
        let recorded = Log<Int>()
        property.producer.startWithNext { recorded.append($0) }.dispose()
        expect(recorded.all, is: [7])
    }

    @Test("is consistent with what is derived from it")
    func derived() async {
        let model = SharedModel(1)
        let property = Property(observing: { model.value })
        let isEqual = property.map { $0 * 2 }.combineLatest(with: property).map { $0 == 2 * $1 }
        let log = Log<Bool>()
        let observation = isEqual.producer.startWithNext { log.append($0) }
        defer { observation.dispose() }
        for number in 2...50 {
            model.value = number
            if number.isMultiple(of: 10) { #expect(await eventually { property.value == number }) }
        }
        #expect(await eventually { property.value == 50 })
        expect(Set(log.all), is: [true])
    }

    @Test("sends events without task-locals, neither those of its creator nor those of the change")
    func taskLocals() async {
        let model = SharedModel(1)
        let log = Log<String>()
        let property = Request.$id.withValue("creator") { Property(observing: { model.value }) }
        let observation = property.signal.observeNext { _ in log.append(Request.id) }
        defer { observation?.dispose() }
        Request.$id.withValue("change") { model.value = 2 }
        #expect(await eventually { log.count == 1 })
        expect(log.all, is: ["none"])
    }

    // MARK: Lifetime

    @Test("releases the closure and the model when it is released, although the model never changes again")
    func release() async {
        let population = Population()
        let model = SharedModel(1)
        func make() -> Property<Int> {
            let captured = population.member()
            return Property(observing: { () -> Int in
                captured.touch()
                return model.value
            })
        }
        var property: Property? = make()
        expect(property?.value, is: 1)
        expect(population.alive, is: 1)
        property = nil
        #expect(await eventually { population.alive == 0 })
        // It lives as long as it is observed, too.
        let log = Log<Int>()
        let observation = make().producer.startWithNext { log.append($0) }
        model.value = 2
        #expect(await eventually { log.all == [1, 2] })
        expect(population.alive, is: 1)
        observation.dispose()
        #expect(await eventually { population.alive == 0 })
    }

    @Test("lives as long as a property derived from it")
    func derivedLifetime() async {
        let population = Population()
        let model = SharedModel(1)
        func make() -> Property<Int> {
            let captured = population.member()
            return Property(observing: { () -> Int in
                captured.touch()
                return model.value
            }).map { $0 * 10 }
        }
        var derived: Property<Int>? = make()
        model.value = 2
        #expect(await eventually { derived?.value == 20 })
        derived = nil
        #expect(await eventually { population.alive == 0 })
    }

    @Test("does not retain a model that the closure captures weakly, and survives its end")
    func weakModel() async {
        weak var released: SharedModel<Int>?
        func make() -> (SharedModel<Int>, Property<Int>) {
            let model = SharedModel(1)
            released = model
            return (model, Property(observing: { [weak model] in model?.value ?? -1 }))
        }
        var made: (model: SharedModel<Int>, property: Property<Int>)? = make()
        made?.model.value = 2
        #expect(await eventually { made?.property.value == 2 })
        let property = made?.property
        made = nil
        #expect(await eventually { released == nil })
        #expect([2, -1].contains(property?.value))
    }

    @Test("leaves nothing behind, however often it is created and released")
    func manyReleases() async {
        let population = Population()
        let model = SharedModel(0)
        for round in 0..<raceRounds {
            let captured = population.member()
            let property = Property(observing: { () -> Int in
                captured.touch()
                return model.value
            })
            if round.isMultiple(of: 3) { model.value = round }
            withExtendedLifetime(property) {}
        }
        #expect(await eventually { population.alive == 0 })
    }

    // MARK: Races

    /// Changes a model while a property begins to follow it. Returns the number of rounds in which the property did not
    /// get the last value.
    private static func missedRounds(of rounds: Int) -> Int {
        let race = Race()
        let changing = TestThread("changing the model") {
            for round in 0..<rounds {
                let model = race.model(of: round)
                for _ in 0..<round % 53 * 4 { _ = race.round }
                for number in 1...1 + round % 3 { model.value = number }
            }
        }
        var missed = 0
        for round in 0..<rounds {
            let model = race.begin(round)
            for _ in 0..<round % 37 { _ = race.round }
            let property = Property(observing: { model.value })
            let isFollowed = becomesTrue { property.value == 1 + round % 3 }
            if !isFollowed { missed += 1 }
        }
        changing.join()
        return missed
    }

    /// Hands the model of each round to another thread.
    private final class Race: Sendable {
        private let state = Locked((round: -1, model: SharedModel(0)))

        var round: Int { state.withLock { $0.round } }

        func begin(_ round: Int) -> SharedModel<Int> {
            let model = SharedModel(0)
            state.withLock { $0 = (round, model) }
            return model
        }

        /// Waits for a round.
        func model(of round: Int) -> SharedModel<Int> {
            while true {
                let (current, model) = state.withLock { $0 }
                if current == round { return model }
                sched_yield()
            }
        }
    }

    @Test("does not miss the last value when the model changes while the property is created")
    func creationRace() async {
        await onThread("creating properties") {
            expect(Self.missedRounds(of: raceRounds), is: 0)
        }
    }

    @Test("does not miss the last value when several threads change the model")
    func changeRace() async {
        let model = SharedModel([0, 0, 0])
        let property = Property(observing: { model.value })
        let log = Log<[Int]>()
        let observation = property.signal.observeNext { log.append($0) }
        defer { observation?.dispose() }
        for round in 1...max(1, raceRounds / 10) {
            await onThread("changing the model") {
                onThreads(3, "changing the model") { thread in
                    for index in 0..<10 { model.change { $0[thread] = round * 10 + index } }
                }
            }
            let last = Array(repeating: round * 10 + 9, count: 3)
            let isThere = await eventually { property.value == last && log.all.last == last }
            #expect(isThere, "\(property.value) instead of \(last)")
        }
        // No value is older than the one before.
        for (former, latter) in zip(log.all, log.all.dropFirst()) {
            #expect(zip(former, latter).allSatisfy { $0 <= $1 })
        }
    }

    @Test("does not miss the last value of a model that an actor changes")
    func actorRace() async {
        let counting = Counting()
        await counting.follow()
        for round in 1...raceRounds {
            async let first: Void = counting.count(to: round)
            async let second: Void = counting.count(to: round)
            _ = await (first, second)
            let property = await counting.property
            let isThere = await eventually { property?.value == round && counting.log.all.last == round }
            #expect(isThere, "\(property?.value ?? -1) instead of \(round)")
        }
        await counting.stop()
    }

    @Test("does not miss the last value of a property that is observed as a model")
    func roundTripRace() async {
        await onThread("following properties") {
            for round in 0..<raceRounds {
                let source = MutableProperty(0)
                let meeting = Rendezvous(2)
                let setting = TestThread("setting the property") {
                    meeting.meet()
                    for number in 1...3 { source.value = number }
                }
                let observable = source.observable
                meeting.meet()
                for _ in 0..<round % 37 { _ = meeting.isOver }
                let property = Property(observing: { observable.value })
                #expect(becomesTrue { property.value == 3 }, "\(property.value)")
                setting.join()
            }
        }
    }

    // MARK: Isolation

    @Test("traps if the closure belongs to another actor than its creator")
    func otherActor() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await Task.detached { _ = Property(observing: { @MainActor in 1 }) }.value
        }?.expectTrap("Property(observing:): called on another actor than that of its closure")
        // Stating the isolation does not help.
        await #expect(processExitsWith: .failure) {
            await Task.detached { _ = Property(observing: { @MainActor in 1 }, isolation: MainActor.shared) }.value
        }
    }

    @Test("takes models that an actor isolates, and no others that are not Sendable", .notUnderSanitizers)
    func sendability() throws {
        let setup = """
            import Observation
            import ReactiveObservation
            @Observable final class Tally { var count = 0 }
            @MainActor @Observable final class Cart { var count = 0 }
            @MainActor func one(_ cart: Cart) -> Property<Int> { Property(observing: { cart.count }) }
            actor Owner {
                let tally = Tally()
                func two() -> Property<Int> { Property(observing: { self.tally.count }) }
            }

            """
        expect(try compilerMessages(about: setup), is: "")
        let wrong = """
            func three(_ tally: Tally) -> Property<Int> { Property(observing: { tally.count }) }
            """
        #expect(try compilerMessages(about: setup + wrong).contains("non-Sendable type 'Tally'"))
    }
}
