import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import TestSupport
import Testing

extension SignalChannel.Terminal {
    fileprivate func logged() -> Log<String> {
        let log = Log<String>()
        producer.start { log.append($0.text) }
        return log
    }
}

@Suite("The channel terminal of a property", .watched)
struct ChannelTerminalTests {
    @Test("sends the current value and each change but its own")
    func echo() {
        let property = MutableProperty(1)
        let terminal = property.channelTerminal
        let log = terminal.logged()
        property.value = 2
        terminal.sendNext(3)
        expect(property.value, is: 3)
        property.value = 3
        terminal.sendNext(4)
        property.modify { $0 += 1 }
        expect(log.all, is: ["1", "2", "3", "5"])
        expect(terminal.logged().all, is: ["5"])
        terminal.sendNext(6)
        expect(terminal.logged().all, is: ["6"], "a start begins with the current value, whoever has set it")
    }

    @Test("sends what another terminal of the property has set")
    func twoTerminals() {
        let property = MutableProperty(0)
        let terminals = [property.channelTerminal, property.channelTerminal]
        let logs = terminals.map { $0.logged() }
        terminals[0].sendNext(1)
        terminals[1].sendNext(2)
        expect(logs.map(\.all), is: [["0", "2"], ["0", "1"]])
    }

    @Test("sends how an observer corrects what the terminal has set", arguments: [1, 2, 3])
    func corrections(depth: Int) {
        let property = MutableProperty(0)
        let observation = property.signal.observeNext { value in
            guard value > 10 else { return }
            property.value = value < 10 + depth ? value + 1 : 10
        }
        let terminal = property.channelTerminal
        let log = terminal.logged()
        terminal.sendNext(11)
        expect(property.value, is: 10)
        let expected = ["0"] + (12..<(11 + depth)).map(String.init) + ["10"]
        expect(log.all, is: expected)
        terminal.sendNext(5)
        expect(log.all, is: expected)
        observation?.dispose()
    }

    @Test("does not send its own value back when the change was put off", arguments: [Contention.wait, .enqueue])
    func putOff(contention: Contention) {
        let property = MutableProperty(0, contention: contention)
        let terminal = property.channelTerminal
        let log = terminal.logged()
        let other = MutableProperty(0)
        let combined = property.combineLatest(with: other)
        let (inEvent, goOn) = (Latch("the event"), Latch("to go on"))
        let observation = combined.signal.observeNext { pair in
            if pair.1 == 1 {
                inEvent.open()
                goOn.wait()
            }
        }
        let setter = TestThread("sets the other") { other.value = 1 }
        inEvent.wait()
        let sender = TestThread("sends") { terminal.sendNext(1) }
        if contention == .wait {
            #expect(becomesTrue { property.value == 1 })
            sender.waitUntilAsleep()
        } else {
            sender.join()
        }
        expect(property.value, is: 1)
        goOn.open()
        setter.join()
        if contention == .wait { sender.join() }
        property.value = 2
        expect(log.all, is: ["0", "2"])
        observation?.dispose()
    }

    @Test("completes when it is ended, and sets nothing afterwards", arguments: [true, false])
    func ends(completes: Bool) {
        let property = MutableProperty(0)
        let terminal = property.channelTerminal
        let log = terminal.logged()
        if completes { terminal.sendCompleted() } else { terminal.sendInterrupted() }
        terminal.sendNext(1)
        expect(property.value, is: 0)
        expect(log.all, is: ["0", "completed"])
    }

    @Test("completes when the property is released, and does not retain it")
    func release() throws {
        var property: MutableProperty<Int>? = MutableProperty(0)
        let terminal = try #require(property).channelTerminal
        let log = terminal.logged()
        property = nil
        expect(log.all, is: ["0", "completed"])
        terminal.sendNext(1)
        expect(terminal.logged().all, is: ["0", "completed"])
    }

    @Test("connects the property to a channel in both directions, if only the bindings hold it")
    func connected() {
        let property = MutableProperty(1)
        let channel = SignalChannel<Int, Never>()
        do {
            let terminal = property.channelTerminal
            channel.leading <~ terminal
            terminal <~ channel.leading
        }
        let log = channel.following.logged()
        channel.following.sendNext(2)
        expect(property.value, is: 2)
        property.value = 3
        expect(log.all, is: ["1", "3"])
        channel.following.sendCompleted()
        property.value = 4
        expect(log.all, is: ["1", "3", "completed"])
    }

    @Test("two properties that terminals connect end equal, whatever threads set")
    func threads() {
        for _ in 0..<raceRounds {
            let (left, right) = (MutableProperty(0), MutableProperty(0))
            let (one, other) = (left.channelTerminal, right.channelTerminal)
            let (toRight, toLeft) = (one.logged(), other.logged())
            onThreads(3, "sets") { thread in
                for value in 1...20 {
                    switch thread {
                    case 0: one.sendNext(-value)
                    case 1: left.value = value
                    default: other.sendNext(value)
                    }
                }
            }
            expect(toRight.all, is: (0...20).map(String.init))
            expect(toLeft.all, is: ["0"])
        }
    }
}
