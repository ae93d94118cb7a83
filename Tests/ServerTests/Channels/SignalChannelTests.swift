import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import TestSupport
import Testing

private typealias Channel = SignalChannel<Int, TestError>

extension SignalChannel.Terminal {
    /// Starts the producer, and records its events.
    fileprivate func logged() -> Log<String> {
        let log = Log<String>()
        producer.start { log.append($0.text) }
        return log
    }
}

@Suite("A channel", .watched)
struct SignalChannelTests {
    @Test("delivers what is sent to one terminal at the other one, and only there")
    func crosswise() {
        let channel = Channel()
        let (leading, following) = (channel.leading.logged(), channel.following.logged())
        channel.leading.sendNext(1)
        channel.following.sendNext(2)
        channel.leading.send(.next(3))
        expect(leading.all, is: ["2"])
        expect(following.all, is: ["1", "3"])
        channel.leading.sendCompleted()
    }

    @Test("replays the last value of the leading terminal, and none of the following one")
    func replay() {
        let channel = Channel()
        channel.leading.sendNext(1)
        channel.leading.sendNext(2)
        channel.following.sendNext(3)
        let (leading, following) = (channel.leading.logged(), channel.following.logged())
        expect(leading.all, is: [])
        expect(following.all, is: ["2"])
        channel.leading.sendCompleted()
    }

    @Test(
        "ends both terminals when one is ended, also for later observers, and ignores what is sent afterwards",
        arguments: [true, false], [Event<Int, TestError>.completed, .error(.first), .interrupted])
    func ends(atLeading: Bool, event: Event<Int, TestError>) {
        let channel = Channel()
        channel.leading.sendNext(1)
        let early = [channel.leading.logged(), channel.following.logged()]
        let ended = atLeading ? channel.leading : channel.following
        switch event {
        case .completed: ended.sendCompleted()
        case .error(let error): ended.sendError(error)
        case .interrupted: ended.sendInterrupted()
        case .next: break
        }
        for terminal in [channel.leading, channel.following] {
            terminal.sendNext(2)
            terminal.sendCompleted()
        }
        expect(early.map(\.all), is: [[event.text], ["1", event.text]])
        let late = [channel.leading.logged(), channel.following.logged()]
        expect(late.map(\.all), is: [[event.text], ["1", event.text]])
    }

    @Test("queues what an observer sends back")
    func reentrant() {
        let channel = Channel()
        let log = Log<String>()
        channel.following.producer.start { event in
            guard let value = event.value else { return }
            log.append("begin \(value)")
            channel.following.sendNext(value + 10)
            if value < 3 { channel.leading.sendNext(value + 1) }
            log.append("end \(value)")
        }
        let answers = channel.leading.logged()
        channel.leading.sendNext(1)
        expect(log.all, is: ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
        expect(answers.all, is: ["11", "12", "13"])
        channel.leading.sendCompleted()
    }

    @Test("interrupts its starts when nothing can send any more, and is held by neither of them")
    func release() {
        let population = Population()
        let log: Log<String>
        do {
            let channel = SignalChannel<Population.Member, Never>()
            channel.leading.sendNext(population.member())
            log = Log<String>()
            channel.following.producer.start { log.append($0.isTerminating ? "end" : "value") }
            channel.leading.producer.start { log.append($0.isTerminating ? "end" : "value") }
            expect(log.all, is: ["value"])
        }
        expect(log.all, is: ["value", "end", "end"])
        expect(population.alive, is: 0)
    }

    @Test("stays as long as one of its terminals or a producer of it")
    func retention() {
        var channel: Channel? = Channel()
        let log = channel!.following.logged()
        var terminal: Channel.Terminal? = channel!.leading
        channel = nil
        terminal!.sendNext(1)
        var producer: SignalProducer<Int, TestError>? = terminal!.producer.map { $0 }
        terminal = nil
        expect(log.all, is: ["1"])
        withExtendedLifetime(producer) {}
        producer = nil
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("map is a view of the same terminals")
    func map() {
        let channel = Channel()
        let text = channel.map(forward: { "<\($0)>" }, backward: { Int($0.dropFirst().dropLast()) ?? -1 })
        let log = [
            channel.leading.logged(), channel.following.logged(), text.leading.logged(), text.following.logged(),
        ]
        channel.leading.sendNext(1)
        text.leading.sendNext("<2>")
        channel.following.sendNext(3)
        text.following.sendNext("<4>")
        text.following.sendError(.second)
        expect(log[0].all, is: ["3", "4", "error second"])
        expect(log[1].all, is: ["1", "2", "error second"])
        expect(log[2].all, is: ["<3>", "<4>", "error second"])
        expect(log[3].all, is: ["<1>", "<2>", "error second"])
    }

    @Test("a terminal is the target and the source of bindings, which end with it")
    func bindings() {
        let channel = SignalChannel<Int, Never>()
        let (source, target) = (MutableProperty(1), MutableProperty(0))
        let binding = channel.leading <~ source
        target <~ channel.following
        expect(target.value, is: 1)
        source.value = 2
        expect(target.value, is: 2)
        channel.following.sendCompleted()
        #expect(binding.isDisposed)
        source.value = 3
        expect(target.value, is: 2)
    }

    @Test("ends both terminals with the same event if threads end both")
    func racingEnds() {
        for _ in 0..<raceRounds {
            let channel = Channel()
            let logs = [channel.leading.logged(), channel.following.logged()]
            onThreads(2, "ends") { thread in
                if thread == 0 { channel.leading.sendCompleted() } else { channel.following.sendError(.first) }
            }
            expect(logs[0].all, is: logs[1].all)
            expect(logs[0].count, is: 1)
        }
    }

    @Test("delivers every value once, in the order of its sender, while threads send both ways and end it")
    func threads() {
        for _ in 0..<raceRounds {
            let channel = Channel()
            let received = (0..<2).map { _ in Log<Int>() }
            let ends = Counter()
            for (log, terminal) in zip(received, [channel.leading, channel.following]) {
                terminal.producer.start { event in
                    if let value = event.value { log.append(value) } else { ends.increment() }
                }
            }
            onThreads(3, "sends") { thread in
                switch thread {
                case 0: for value in 0..<50 { channel.following.sendNext(value) }
                case 1: for value in 0..<50 { channel.leading.sendNext(value) }
                default: channel.leading.sendCompleted()
                }
            }
            for log in received { #expect(log.all.elementsEqual(0..<log.all.count)) }
            expect(ends.value, is: 2)
        }
    }
}
