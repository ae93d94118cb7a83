import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("An observer as the target of a binding", .watched)
struct ObserverBindingTests {
    @Test("receives the values, and not the end")
    func values() {
        let (output, input) = Signal<Int, TestError>.pipe()
        let log = output.logged()
        let owner = Owner(1)
        input <~ owner.property
        owner.property.value = 2
        owner.release()
        expect(log.all, is: ["1", "2"])
        input <~ SignalProducer<Int, Never>([3, 4])
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "4", "completed"])
    }

    @Test("is not held by the binding, which ends with the next value", arguments: [true, false])
    func release(hasSignal: Bool) {
        let log = Log<String>()
        let source = MutableProperty(1)
        var input: Signal<Int, Never>.Observer?
        if hasSignal {
            let pipe = Signal<Int, Never>.pipe()
            pipe.output.observe { log.append($0.text) }
            input = pipe.input
        } else {
            input = Signal<Int, Never>.Observer { log.append($0.text) }
        }
        let binding = input <~ source
        source.value = 2
        input = nil
        expect(log.all, is: hasSignal ? ["1", "2", "interrupted"] : ["1", "2"])
        #expect(!binding.isDisposed)
        source.value = 3
        #expect(binding.isDisposed)
    }

    @Test("ends the binding with the next value once its stream has terminated")
    func termination() {
        let (output, input) = Signal<Int, Never>.pipe()
        let log = output.logged()
        let source = MutableProperty(1)
        let binding = input <~ source
        input.sendCompleted()
        source.value = 2
        #expect(binding.isDisposed)
        expect(log.all, is: ["1", "completed"])
    }

    @Test("receives nothing once the binding has been disposed of")
    func disposal() {
        let (output, input) = Signal<Int, Never>.pipe()
        let log = output.logged()
        let source = MutableProperty(1)
        let binding = input <~ source
        binding.dispose()
        source.value = 2
        expect(log.all, is: ["1"])
        input.sendCompleted()
    }
}
