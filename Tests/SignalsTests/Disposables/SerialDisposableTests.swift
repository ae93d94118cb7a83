import ReactiveSignals
import TestSupport
import Testing

@Suite("SerialDisposable")
struct SerialDisposableTests {
    @Test("disposes of the previous disposable when another is set")
    func replaces() {
        let first = SimpleDisposable()
        let second = SimpleDisposable()
        let serial = SerialDisposable(first)
        #expect(serial.inner === first)
        serial.inner = second
        #expect(first.isDisposed)
        #expect(!second.isDisposed)
        #expect(serial.inner === second)
        serial.inner = nil
        #expect(second.isDisposed)
        #expect(serial.inner == nil)
        #expect(!serial.isDisposed)
    }

    @Test("disposes of a disposable that is set again")
    func setAgain() {
        let disposable = SimpleDisposable()
        let serial = SerialDisposable(disposable)
        serial.inner = disposable
        #expect(disposable.isDisposed)
    }

    @Test("disposes of its inner disposable and releases it")
    func disposes() {
        let population = Population()
        let runs = Counter()
        let serial = SerialDisposable()
        serial.inner = AnyDisposable { [member = population.member()] in
            member.touch()
            runs.increment()
        }
        serial.dispose()
        serial.dispose()
        expect(runs.value, is: 1)
        expect(population.alive, is: 0)
        #expect(serial.isDisposed)
        #expect(serial.inner == nil)
    }

    @Test("disposes at once of what is set after its disposal")
    func afterDisposal() {
        let serial = SerialDisposable()
        serial.dispose()
        let disposable = SimpleDisposable()
        serial.inner = disposable
        #expect(disposable.isDisposed)
        #expect(serial.inner == nil)
        serial.inner = nil
        #expect(serial.isDisposed)
    }

    @Test("is not disposed of when its inner disposable is")
    func ownState() {
        let disposable = SimpleDisposable()
        let serial = SerialDisposable(disposable)
        disposable.dispose()
        #expect(!serial.isDisposed)
    }

    @Test("disposes of what is set from inside the disposal of the previous disposable")
    func inside() {
        let last = SimpleDisposable()
        let serial = SerialDisposable()
        serial.inner = AnyDisposable { serial.inner = last }
        serial.dispose()
        #expect(last.isDisposed)
    }

    @Test("leaks nothing when assignments race with the disposal")
    func race() {
        for _ in 0..<200 {
            let serial = SerialDisposable()
            let runs = Counter()
            onThreads(3, "SerialDisposable") { index in
                if index == 0 { return serial.dispose() }
                for _ in 0..<10 { serial.inner = AnyDisposable { runs.increment() } }
            }
            expect(runs.value, is: 20)
        }
    }
}
