package import PeerSupport
import ReactiveSignals

// Properties and actions.
extension ReactiveSignalsPeer {
    package static func set(_ functions: Functions) -> Run {
        let property = MutableProperty(0)
        property.signal.observeNext(functions.observe)
        return { count in
            for value in 0..<count { property.value = value }
        }
    }

    package static func read() -> Run {
        let property = MutableProperty(0)
        let sum = Sum()
        return { count in
            for _ in 0..<count { sum.add(property.value) }
        }
    }

    package static func readDerived(_ functions: Functions) -> Run {
        let property = MutableProperty(0)
        let derived = property.map(functions.transform)
        let sum = Sum()
        return { count in
            for _ in 0..<count { sum.add(derived.value) }
            withExtendedLifetime(property) {}
        }
    }

    package static func setThroughMap(_ functions: Functions) -> Run {
        let property = MutableProperty(0)
        let derived = property.map(functions.transform)
        derived.signal.observeNext(functions.observe)
        return { count in
            for value in 0..<count { property.value = value }
            withExtendedLifetime(derived) {}
        }
    }

    package static func setCombined(_ functions: Functions) -> Run {
        let (property, config) = (MutableProperty(0), MutableProperty(0))
        let combined = config.combineLatest(with: property)
        combined.signal.observeNext { functions.observe($0.1) }
        return { count in
            for value in 0..<count { property.value = value }
            withExtendedLifetime((combined, config)) {}
        }
    }

    /// The property was combined with another one, which was observed. The combination has been released.
    private static func released() -> MutableProperty<Int> {
        let (property, other) = (MutableProperty(0), MutableProperty(0))
        property.combineLatest(with: other).producer.startWithNext { _ in }.dispose()
        return property
    }

    package static func setAfterCombination(_ functions: Functions) -> Run {
        let property = released()
        property.signal.observeNext(functions.observe)
        return { count in
            for value in 0..<count { property.value = value }
        }
    }

    package static func readAfterCombination() -> Run {
        let (property, sum) = (released(), Sum())
        return { count in
            for _ in 0..<count { sum.add(property.value) }
        }
    }

    package static func setTapped(_ functions: Functions) -> Run {
        let property = MutableProperty(0).tapped(by: Tap(functions))
        return { count in
            for value in 0..<count { property.value = value }
        }
    }

    package static func setMapTapped(_ functions: Functions) -> Run {
        let property = MutableProperty(0)
        let derived = property.map(functions.transform).tapped(by: Tap(functions))
        return { count in
            for value in 0..<count { property.value = value }
            withExtendedLifetime(derived) {}
        }
    }

    private struct Tap: StreamTap {
        let functions: Functions

        init(_ functions: Functions) { self.functions = functions }

        func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Void) {
            if let value = event.value as? Int { functions.observe(value) }
        }
    }

    /// Two threads set a property each. Both are combined with a third, which they may share.
    package static func setOnTwoThreads(isShared: Bool, _ functions: Functions) -> Run {
        let global = MutableProperty(0)
        let threads = (0..<2).map { _ in
            let (property, other) = (MutableProperty(0), isShared ? global : MutableProperty(0))
            let combined = other.combineLatest(with: property)
            combined.signal.observeNext { functions.observe($0.1) }
            return (property, other, combined)
        }
        // The threads take turns, so each has its own in each run.
        let number = MutableProperty(0)
        let both = TwoThreads { count in
            let property = threads[
                number.modify { number in
                    number = 1 - number
                    return number
                }
            ].0
            for value in 0..<count { property.value = value }
        }
        return { count in
            both.run(count)
            withExtendedLifetime(threads) {}
        }
    }

    package static func setAfterCombinations(_ functions: Functions) -> Run {
        let property = MutableProperty(0)
        let derived = property.map(functions.transform)
        derived.signal.observeNext(functions.observe)
        let sum = Sum()
        for value in 0..<40_000 { sum.add(property.combineLatest(with: Property(value: value)).value.1) }
        return { count in
            for value in 0..<count { property.value = value }
            withExtendedLifetime((derived, sum)) {}
        }
    }

    package static func readAfterRequests(_ functions: Functions) -> Run {
        let property = MutableProperty(0)
        let sum = Sum()
        for _ in 0..<300 {
            let derived = (0..<100).map { _ in property.map(functions.transform) }
            for property in derived { sum.add(property.value) }
        }
        return { count in
            for _ in 0..<count { sum.add(property.value) }
        }
    }

    package static func readObserved(_ functions: Functions) -> Run {
        let property = MutableProperty(0)
        let derived = property.map(functions.transform)
        derived.signal.observeNext(functions.observe)
        let sum = Sum()
        return { count in
            for _ in 0..<count { sum.add(derived.value) }
            withExtendedLifetime(property) {}
        }
    }

    package static func derive(_ functions: Functions) -> Run {
        let property = MutableProperty(0)
        let sum = Sum()
        return { count in
            for _ in 0..<count { sum.add(property.map(functions.transform).value) }
        }
    }

    package static func deriveCombined(_ functions: Functions) -> Run {
        let (property, config) = (MutableProperty(0), MutableProperty(0))
        let sum = Sum()
        return { count in
            for _ in 0..<count { sum.add(property.combineLatest(with: config).value.1) }
        }
    }

    package static func observeDerived(_ functions: Functions) -> Run {
        let property = MutableProperty(0)
        let derived = property.map(functions.transform)
        return { count in
            for _ in 0..<count { derived.signal.observeNext(functions.observe)?.dispose() }
            withExtendedLifetime(property) {}
        }
    }

    package static func modifyAfterCombination() -> Run {
        let property = MutableProperty([UInt8](repeating: 0, count: 1 << 20))
        let other = MutableProperty(0)
        let sum = Sum()
        sum.add(property.combineLatest(with: other).map { $0.0.count + $0.1 }.value)
        return { count in
            for value in 0..<count { property.modify { $0[value] = 1 } }
        }
    }

    package static func link() -> Run {
        { count in
            for _ in 0..<count {
                let hub = MutableProperty(0)
                let properties = (0..<1_000).map { MutableProperty($0) }
                for property in properties { hub <~> property }
                withExtendedLifetime(properties) {}
            }
        }
    }

    /// Every third property combines the two before it.
    private static func grow(_ size: Int, from root: Property<Int>, _ functions: Functions) -> [Property<Int>] {
        var properties = [root]
        while properties.count <= size {
            let last = properties[properties.count - 1]
            if properties.count.isMultiple(of: 3), properties.count + 1 <= size {
                let pair = last.combineLatest(with: properties[properties.count - 2])
                properties.append(pair.map { functions.combine($0.0, $0.1) })
            } else {
                properties.append(last.map(functions.transform))
            }
        }
        return properties
    }

    package static func graph(_ size: Int, _ functions: Functions) -> Run {
        let root = MutableProperty(0)
        let properties = grow(size, from: Property(root), functions)
        // The last one follows from all others.
        properties[size].signal.observeNext(functions.observe)
        return { count in
            for value in 0..<count { root.value = value }
            withExtendedLifetime(properties) {}
        }
    }

    package static func partOfGraph(_ functions: Functions) -> Run {
        let roots = (0..<10).map { MutableProperty($0) }
        // In one graph, through a property that nobody wants after that.
        let parts = roots.map { grow(100, from: Property($0), functions) }
        for part in parts { part[100].signal.observeNext(functions.observe) }
        _ = Property.combineLatest(roots).value
        return { count in
            for value in 0..<count { roots[0].value = value }
            withExtendedLifetime((roots, parts)) {}
        }
    }

    package static func action(_ functions: Functions) -> Run {
        let action = Action<Int, Int, Never> { input in
            SignalProducer { observer, _ in
                observer.sendNext(input)
                observer.sendCompleted()
            }
        }
        return run(action, functions)
    }

    package static func actionOfValue(_ functions: Functions) -> Run {
        run(Action<Int, Int, Never> { input in SignalProducer(value: input) }, functions)
    }

    private static func run(_ action: Action<Int, Int, Never>, _ functions: Functions) -> Run {
        { count in
            for value in 0..<count {
                action.apply(value).start { event in
                    if case .next(let value) = event { functions.observe(value) }
                }
            }
        }
    }
}
