import Foundation
import ReactiveSignals
import ReactiveSignalsFoundation
import TestSupport
import Testing

extension Notification.Name {
    fileprivate static let tick = Notification.Name("tick")
    fileprivate static let tock = Notification.Name("tock")
}

private final class Poster: Sendable {}

@Suite("notifications(named:object:)", .watched, .offThePool)
struct NotificationsTests {
    private let center = NotificationCenter()

    private func post(_ name: Notification.Name, _ number: Int = 0, _ object: Any? = nil) {
        center.post(name: name, object: object, userInfo: ["number": number])
    }

    private func numbers(
        _ name: Notification.Name? = .tick, _ object: (any AnyObject & Sendable)? = nil
    ) -> SignalProducer<Int, Never> {
        center.notifications(named: name, object: object) { $0.userInfo?["number"] as? Int ?? -1 }
    }

    @Test("sends what the closure extracts, at once, to every start")
    func values() {
        post(.tick, 0)
        let (first, disposable) = numbers().recorded()
        post(.tick, 1)
        let (second, other) = numbers().recorded()
        post(.tick, 2)
        post(.tock, 3)
        expect(first.texts, is: ["1", "2"])
        expect(second.texts, is: ["2"])
        disposable.dispose()
        other.dispose()
        expect(numbers().name, is: "notifications")
    }

    @Test("sends names without a closure, of one notification or of all")
    func names() {
        let (one, first) = center.notifications(named: .tick).recorded()
        let (all, second) = center.notifications(named: nil).recorded()
        post(.tick)
        post(.tock)
        expect(one.values, is: [.tick])
        expect(all.values, is: [.tick, .tock])
        first.dispose()
        second.dispose()
    }

    @Test("sends only what the object has posted, if there is one")
    func objects() {
        let (poster, other) = (Poster(), Poster())
        let (recording, disposable) = numbers(.tick, poster).recorded()
        post(.tick, 1, poster)
        post(.tick, 2, other)
        post(.tick, 3)
        expect(recording.values, is: [1])
        disposable.dispose()
    }

    @Test("removes the observer on disposal, and neither transforms nor sends anything afterwards")
    func disposal() {
        let transformed = Counter()
        let (recording, disposable) = center.notifications(named: .tick) { _ in transformed.increment() }.recorded()
        post(.tick)
        disposable.dispose()
        post(.tick)
        expect(recording.texts, is: ["1", "interrupted"])
        expect(transformed.value, is: 1)
    }

    @Test("a start does not retain the center")
    func releasedCenter() {
        weak var released: NotificationCenter?
        let disposable: any Disposable
        do {
            let center = NotificationCenter()
            released = center
            disposable = center.notifications(named: .tick).recorded().disposable
        }
        #expect(released == nil)
        disposable.dispose()
    }

    @Test("is disposed of from inside: by the observer, by take(first:), and by the closure")
    func disposalInside() {
        expect(
            numbers().take(first: 1).logging {
                post(.tick, 1)
                post(.tick, 2)
            }, is: ["1", "completed"])
        let handle = SerialDisposable()
        let log = Log<String>()
        handle.inner = numbers().start { event in
            log.append(event.text)
            handle.dispose()
        }
        post(.tick, 1)
        post(.tick, 2)
        expect(log.all, is: ["1", "interrupted"])

        let inner = SerialDisposable()
        let transformed = Counter()
        let (recording, disposable) = center.notifications(named: .tick) { _ in
            inner.dispose()
            return transformed.increment()
        }.recorded()
        inner.inner = disposable
        post(.tick)
        post(.tick)
        expect(recording.texts, is: ["interrupted"])
        expect(transformed.value, is: 1)
    }

    @Test("sends a notification that an observer posts after the current one")
    func reentrance() {
        let log = Log<String>()
        let disposable = numbers().startWithNext { number in
            log.append("begin \(number)")
            if number < 3 { center.post(name: .tick, object: nil, userInfo: ["number": number + 1]) }
            log.append("end \(number)")
        }
        post(.tick, 1)
        expect(log.all, is: ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
        disposable.dispose()
    }

    @Test("starts and disposes of other starts while a notification is posted")
    func startsInside() {
        let log = Log<Int>()
        let inner = SerialDisposable()
        let disposable = numbers().startWithNext { number in
            inner.inner = numbers().startWithNext { log.append(number * 10 + $0) }
        }
        post(.tick, 1)
        post(.tick, 2)
        post(.tick, 3)
        // The start of the previous notification is replaced before, or after, it has received this one.
        #expect(Set(log.all).isSubset(of: [12, 23]), "\(log.all)")
        disposable.dispose()
        inner.dispose()
        post(.tick, 4)
        #expect(!log.all.contains { $0 % 10 == 4 })
    }

    @Test("sends every notification once, one at a time, when several threads post")
    func threads() {
        let isInside = Log<Int>()
        let log = Log<Int>()
        let overlaps = Counter()
        let disposable = numbers().startWithNext { number in
            isInside.append(number)
            if isInside.count != 1 { overlaps.increment() }
            log.append(number)
            isInside.removeAll()
        }
        let center = center
        onThreads(4, "posting") { thread in
            for index in 0..<raceRounds {
                center.post(name: .tick, object: nil, userInfo: ["number": thread * raceRounds + index])
            }
        }
        expect(overlaps.value, is: 0)
        expect(log.all.sorted(), is: Array(0..<4 * raceRounds))
        for thread in 0..<4 {
            let own = log.all.filter { $0 / raceRounds == thread }
            expect(own, is: own.sorted())
        }
        disposable.dispose()
    }

    @Test("sends nothing after the interruption when disposal races with posting")
    func disposalRace() {
        for _ in 0..<raceRounds {
            let (recording, disposable) = numbers().recorded()
            let center = center
            let meeting = Rendezvous(2)
            let poster = TestThread("posting") {
                meeting.meet()
                for index in 0..<3 { center.post(name: .tick, object: nil, userInfo: ["number": index]) }
            }
            meeting.meet()
            disposable.dispose()
            poster.join()
            let texts = recording.texts
            expect(texts.last, is: "interrupted")
            expect(Array(texts.dropLast()), is: Array(["0", "1", "2"].prefix(texts.count - 1)))
        }
    }

    @Test("retains the object, and releases it, the observer and the closure on disposal")
    func release() {
        let population = Population()
        weak var poster: Poster?
        func producer() -> SignalProducer<Void, Never> {
            let object = Poster()
            poster = object
            let captured = population.member()
            return center.notifications(named: .tick, object: object) { _ in captured.touch() }
        }
        func start(_ producer: SignalProducer<Void, Never>) -> any Disposable {
            let observed = population.member()
            return producer.startWithNext { observed.touch() }
        }
        var made: SignalProducer? = producer()
        let disposable = made.map(start)
        expect(population.alive, is: 2)
        made = nil
        expect(population.alive, is: 2)
        #expect(poster != nil)
        disposable?.dispose()
        expect(population.alive, is: 0)
        #expect(poster == nil)
    }

    @Test(
        "does not compete with an async sequence of the same name, as Foundation has on Apple systems",
        .notUnderSanitizers)
    func overloads() throws {
        let setup = """
            import Foundation
            import ReactiveSignalsFoundation
            struct Sequence: AsyncSequence, AsyncIteratorProtocol {
                func next() async -> Int? { nil }
                func makeAsyncIterator() -> Sequence { self }
            }
            extension NotificationCenter {
                func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Sequence { Sequence() }
            }
            let center = NotificationCenter.default
            let name = Notification.Name("a")

            """
        let messages = try compilerMessages(
            about: setup + """
                func one() {
                    let sequence = center.notifications(named: name)
                    let _: Sequence = sequence
                    let producer: SignalProducer<Notification.Name, Never> = center.notifications(named: name)
                    producer.start()
                    center.notifications(named: name).startWithNext { print($0) }
                    center.notifications(named: name).map { $0.rawValue }.startWithNext { print($0) }
                    center.notifications(named: name) { $0.name.rawValue }.startWithNext { print($0) }
                    let values = center.notifications(named: name) { $0.name.rawValue }
                    values.startWithNext { print($0) }
                }
                func two() async {
                    for await _ in center.notifications(named: name) {}
                    for await _ in center.notifications(named: name).values(buffering: .newest(1)) {}
                    center.notifications(named: name).startWithNext { print($0) }
                }
                """)
        expect(messages, is: "")
    }

    @Test("does not let a notification leave the closure, because it is not Sendable", .notUnderSanitizers)
    func sendability() throws {
        let messages = try compilerMessages(
            about: """
                import Foundation
                import ReactiveSignalsFoundation
                let escaping = NotificationCenter.default.notifications(named: nil) { $0 }
                """)
        #expect(messages.contains("conformance of 'Notification' to 'Sendable' is unavailable"), "\(messages)")
    }
}

extension SignalProducer {
    /// The texts of the events that arrive while `body` runs.
    fileprivate func logging(_ body: () -> Void) -> [String] {
        let (recording, disposable) = recorded()
        body()
        let texts = recording.texts
        disposable.dispose()
        return texts
    }
}
