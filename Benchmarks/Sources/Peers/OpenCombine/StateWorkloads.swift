import OpenCombine
package import PeerSupport

extension OpenCombinePeer {
    package static func set(_ functions: Functions) -> Run {
        let subject = CurrentValueSubject<Int, Never>(0)
        let cancellable = subject.sink(receiveValue: functions.observe)
        return { count in
            for value in 0..<count { subject.send(value) }
            withExtendedLifetime(cancellable) {}
        }
    }

    package static func read() -> Run {
        let subject = CurrentValueSubject<Int, Never>(0)
        let sum = Sum()
        return { count in
            for _ in 0..<count { sum.add(subject.value) }
        }
    }

    package static func setThroughMap(_ functions: Functions) -> Run {
        let subject = CurrentValueSubject<Int, Never>(0)
        let cancellable = subject.map(functions.transform).sink(receiveValue: functions.observe)
        return { count in
            for value in 0..<count { subject.send(value) }
            withExtendedLifetime(cancellable) {}
        }
    }
}
