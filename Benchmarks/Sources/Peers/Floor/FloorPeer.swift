import Dispatch
import Glibc
package import PeerSupport

/// The least that the work can cost: a lock pair of the C library around stored closures, written by hand for each row.
package enum FloorPeer {
    final class Lock: @unchecked Sendable {
        // Unchecked: it is a lock.
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>

        init() {
            mutex = .allocate(capacity: 1)
            pthread_mutex_init(mutex, nil)
        }

        @inline(__always) func callAsFunction(_ body: () -> Void) {
            pthread_mutex_lock(mutex)
            body()
            pthread_mutex_unlock(mutex)
        }
    }

    final class One: Sendable {
        private let lock = Lock()
        private let observe: @Sendable (Int) -> Void

        init(_ functions: Functions) { observe = functions.observe }

        @inline(never) func send(_ value: Int) {
            lock { observe(value) }
        }
    }

    package static func one(_ functions: Functions) -> Run {
        let one = One(functions)
        return { count in
            for value in 0..<count { one.send(value) }
        }
    }

    /// Closures in boxes, and the boxes in a raw buffer: calling a closure out of an array would retain its context.
    final class Boxes: @unchecked Sendable {
        // Unchecked: nothing changes after the initialiser.
        final class Box {
            let functions: Functions
            init(_ functions: Functions) { self.functions = functions }
        }
        private let boxes: UnsafeMutablePointer<Unmanaged<Box>>
        private let count: Int

        init(_ count: Int, _ functions: Functions) {
            self.count = count
            boxes = .allocate(capacity: count)
            for index in 0..<count { (boxes + index).initialize(to: .passRetained(Box(functions))) }
        }

        @inline(__always) func callEach(_ body: (Functions) -> Void) {
            for index in 0..<count { boxes[index]._withUnsafeGuaranteedRef { body($0.functions) } }
        }
    }

    final class Many: Sendable {
        private let lock = Lock()
        private let observers: Boxes

        init(_ count: Int, _ functions: Functions) { observers = Boxes(count, functions) }

        @inline(never) func send(_ value: Int) {
            lock {
                observers.callEach { $0.observe(value) }
            }
        }
    }

    package static func many(_ observers: Int, _ functions: Functions) -> Run {
        let many = Many(observers, functions)
        return { count in
            for value in 0..<count { many.send(value) }
        }
    }

    final class MapFilterMap: Sendable {
        private let lock = Lock()
        private let first: @Sendable (Int) -> Int
        private let isKept: @Sendable (Int) -> Bool
        private let second: @Sendable (Int) -> Int
        private let observe: @Sendable (Int) -> Void

        init(_ functions: Functions) {
            first = functions.transform
            isKept = functions.isKept
            second = functions.transform
            observe = functions.observe
        }

        @inline(never) func send(_ value: Int) {
            lock {
                let value = first(value)
                if isKept(value) { observe(second(value)) }
            }
        }
    }

    package static func mapFilterMap(_ functions: Functions) -> Run {
        let stages = MapFilterMap(functions)
        return { count in
            for value in 0..<count { stages.send(value) }
        }
    }

    final class TenMaps: Sendable {
        private let lock = Lock()
        private let maps: Boxes
        private let observe: @Sendable (Int) -> Void

        init(_ functions: Functions) {
            maps = Boxes(10, functions)
            observe = functions.observe
        }

        @inline(never) func send(_ value: Int) {
            lock {
                var value = value
                maps.callEach { value = $0.transform(value) }
                observe(value)
            }
        }
    }

    package static func tenMaps(_ functions: Functions) -> Run {
        let stages = TenMaps(functions)
        return { count in
            for value in 0..<count { stages.send(value) }
        }
    }

    final class Pair: @unchecked Sendable {
        // Unchecked: the lock guards the two values.
        private let lock = Lock()
        private let observe: @Sendable ((Int, Int)) -> Void
        private let keepsValues: Bool
        @exclusivity(unchecked) private var first: Int?
        @exclusivity(unchecked) private var second: Int?

        init(keepsValues: Bool, _ functions: Functions) {
            self.keepsValues = keepsValues
            observe = functions.observePair
        }

        @inline(never) func sendFirst(_ value: Int) {
            lock {
                first = value
                deliver()
            }
        }

        @inline(never) func sendSecond(_ value: Int) {
            lock {
                second = value
                deliver()
            }
        }

        private func deliver() {
            guard let first, let second else { return }
            observe((first, second))
            if !keepsValues {
                self.first = nil
                self.second = nil
            }
        }

        func run(_ count: Int) {
            for value in 0..<count / 2 {
                sendFirst(value)
                sendSecond(value)
            }
        }
    }

    package static func zip(_ functions: Functions) -> Run { Pair(keepsValues: false, functions).run }

    package static func combineLatest(_ functions: Functions) -> Run { Pair(keepsValues: true, functions).run }

    package static func twoThreads(_ functions: Functions) -> Run {
        let one = One(functions)
        return TwoThreads { count in
            for value in 0..<count { one.send(value) }
        }.run
    }

    package static func queue() -> Run {
        let last = Last()
        let queue = DispatchQueue(label: "floor")
        return { count in
            for value in (0..<count).reversed() {
                queue.async { last.observe(value) }
            }
            last.wait()
        }
    }
}
