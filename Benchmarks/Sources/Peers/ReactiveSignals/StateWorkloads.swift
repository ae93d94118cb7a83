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
        return { count in
            for value in 0..<count { root.value = value }
            withExtendedLifetime(properties) {}
        }
    }

    package static func partOfGraph(_ functions: Functions) -> Run {
        let roots = (0..<10).map { MutableProperty($0) }
        // In one graph, through a property that nobody wants after that.
        let parts = roots.map { grow(100, from: Property($0), functions) }
        _ = Property.combineLatest(roots)
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
