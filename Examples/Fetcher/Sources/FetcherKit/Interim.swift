@preconcurrency import Dispatch
import Glibc
import ReactiveSignals

extension SignalProducer {
    static func async(_ operation: @escaping @Sendable () async throws(Failure) -> Value) -> SignalProducer {
        SignalProducer { observer, lifetime in
            let task = Task {
                do throws(Failure) {
                    observer.sendNext(try await operation())
                    observer.sendCompleted()
                } catch { observer.sendError(error) }
            }
            lifetime.observeEnded { task.cancel() }
        }
    }

    init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Value, Failure == any Error {
        self.init { observer, lifetime in
            let task = Task {
                do {
                    for try await element in sequence { observer.sendNext(element) }
                    observer.sendCompleted()
                } catch { observer.sendError(error) }
            }
            lifetime.observeEnded { task.cancel() }
        }
    }
}
extension SignalProducer where Value == Int32, Failure == Never {
    static func unixSignal(_ signals: Int32...) -> SignalProducer {
        SignalProducer { observer, lifetime in
            for number in signals {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "signals"))
                source.setEventHandler { observer.sendNext(number) }
                source.activate()
                lifetime.observeEnded { source.cancel() }
            }
        }
    }
}
extension SignalProducer where Failure == Never {
    func last() async -> Value? {
        await withCheckedContinuation { continuation in
            let last = MutableProperty<Value?>(nil)
            start { event in
                switch event {
                case .next(let value): last.value = value
                default: continuation.resume(returning: last.value)
                }
            }
        }
    }
}
