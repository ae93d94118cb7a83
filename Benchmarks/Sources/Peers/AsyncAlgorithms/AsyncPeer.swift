import AsyncAlgorithms
import Dispatch
package import PeerSupport

/// swift-async-algorithms: an event is an element sent through an `AsyncChannel` from one task to another.
package enum AsyncPeer {
    package static func observers(_ observers: Int, _ functions: Functions) -> Run {
        let channel = AsyncChannel<Int>()
        if observers == 1 {
            Task.detached {
                for await value in channel { functions.observe(value) }
            }
        } else {
            let shared = channel.share()
            for _ in 0..<observers {
                Task.detached {
                    for await value in shared { functions.observe(value) }
                }
            }
        }
        return run(channel)
    }

    package static func mapFilterMap(_ functions: Functions) -> Run {
        let channel = AsyncChannel<Int>()
        let stages = channel.map(functions.transform).filter(functions.isKept).map(functions.transform)
        Task.detached {
            for await value in stages { functions.observe(value) }
        }
        return run(channel)
    }

    package static func tenMaps(_ functions: Functions) -> Run {
        let channel = AsyncChannel<Int>()
        let stages =
            channel
            .map(functions.transform).map(functions.transform).map(functions.transform).map(functions.transform)
            .map(functions.transform).map(functions.transform).map(functions.transform).map(functions.transform)
            .map(functions.transform).map(functions.transform)
        Task.detached {
            for await value in stages { functions.observe(value) }
        }
        return run(channel)
    }

    package static func visibleObservers(_ observers: Int) -> Run {
        let channel = AsyncChannel<Int>()
        let sum = Sum()
        if observers == 1 {
            Task.detached {
                for await value in channel { sum.add(value) }
            }
        } else {
            let shared = channel.share()
            for _ in 0..<observers {
                Task.detached {
                    for await value in shared { sum.add(value) }
                }
            }
        }
        return run(channel)
    }

    package static func visibleMapFilterMap() -> Run {
        let channel = AsyncChannel<Int>()
        let sum = Sum()
        let stages = channel.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 &+ 1 }
        Task.detached {
            for await value in stages { sum.add(value) }
        }
        return run(channel)
    }

    package static func visibleTenMaps() -> Run {
        let channel = AsyncChannel<Int>()
        let sum = Sum()
        let five = channel.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
        let ten = five.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
        Task.detached {
            for await value in ten { sum.add(value) }
        }
        return run(channel)
    }

    package static func zip(_ functions: Functions) -> Run {
        let first = AsyncChannel<Int>()
        let second = AsyncChannel<Int>()
        Task.detached {
            for await pair in AsyncAlgorithms.zip(first, second) { functions.observePair(pair) }
        }
        return run(first, second)
    }

    package static func combineLatest(_ functions: Functions) -> Run {
        let first = AsyncChannel<Int>()
        let second = AsyncChannel<Int>()
        Task.detached {
            for await pair in AsyncAlgorithms.combineLatest(first, second) { functions.observePair(pair) }
        }
        return run(first, second)
    }

    package static func twoThreads(_ functions: Functions) -> Run {
        let channel = AsyncChannel<Int>()
        Task.detached {
            for await value in channel { functions.observe(value) }
        }
        return { count in
            let group = DispatchGroup()
            for _ in 0..<2 {
                group.enter()
                Task.detached {
                    for value in 0..<count / 2 { await channel.send(value) }
                    group.leave()
                }
            }
            group.wait()
        }
    }

    package static func queue() -> Run {
        let last = Last()
        let channel = AsyncChannel<Int>()
        Task.detached {
            for await value in channel { last.observe(value) }
        }
        return { count in
            Task.detached {
                for value in (0..<count).reversed() { await channel.send(value) }
            }
            last.wait()
        }
    }

    private static func run(_ channel: AsyncChannel<Int>) -> Run {
        { count in
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                for value in 0..<count { await channel.send(value) }
                done.signal()
            }
            done.wait()
        }
    }

    private static func run(_ first: AsyncChannel<Int>, _ second: AsyncChannel<Int>) -> Run {
        { count in
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                for value in 0..<count / 2 {
                    await first.send(value)
                    await second.send(value)
                }
                done.signal()
            }
            done.wait()
        }
    }
}
