import OpenCombine
package import PeerSupport

// Publishers that are cold.
extension OpenCombinePeer {
    /// Three stages: `map` called on what is known to be a sequence makes an array of it at once, and is no stream.
    package static func sequence(_ functions: Functions) -> Run {
        @inline(__always) func map<P: Publisher<Int, Never>>(_ upstream: P) -> Publishers.Map<P, Int> {
            upstream.map(functions.transform)
        }
        return { count in
            let cancellable = map(Values.first(count).publisher)
                .filter(functions.isKept).reduce(0, functions.combine)
                .sink(receiveValue: functions.observe)
            withExtendedLifetime(cancellable) {}
        }
    }

    package static func value(_ functions: Functions) -> Run {
        { count in
            for value in 0..<count { _ = Just(value).sink(receiveValue: functions.observe) }
        }
    }

    package static func valueMap(_ functions: Functions) -> Run {
        { count in
            for value in 0..<count { _ = Just(value).map(functions.transform).sink(receiveValue: functions.observe) }
        }
    }

    package static func merge(_ functions: Functions) -> Run {
        { count in
            let cancellable = Values.first(count).publisher
                .flatMap { Just(functions.transform($0)) }
                .sink(receiveValue: functions.observe)
            withExtendedLifetime(cancellable) {}
        }
    }

    package static func concat(_ functions: Functions) -> Run {
        { count in
            let cancellable = Values.first(count).publisher
                .flatMap(maxPublishers: .max(1)) { Just(functions.transform($0)) }
                .sink(receiveValue: functions.observe)
            withExtendedLifetime(cancellable) {}
        }
    }

    package static func latest(_ functions: Functions) -> Run {
        { count in
            let cancellable = Values.first(count).publisher
                .map { Just(functions.transform($0)) }.switchToLatest()
                .sink(receiveValue: functions.observe)
            withExtendedLifetime(cancellable) {}
        }
    }
}
