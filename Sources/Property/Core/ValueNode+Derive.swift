import HotSignals

extension ValueNode {
    /// Makes a node that has a memory, and the tether that keeps it linked.
    ///
    /// - Parameters:
    ///   - initial: Computes the first value from the values of the inputs. Called again for each change of a
    ///     root that happens in the meantime.
    ///   - memory: What the node remembers besides its value, if anything.
    ///   - next: Computes the next value, or returns `nil` if the value stays as it is.
    @_alwaysEmitIntoClient
    package static func kept(
        _ name: NodeName, from inputs: [PropertyNode], ending: Ending = .withAll, initial: () -> Value,
        memory: NodeMemory? = nil, next: @escaping @Sendable (ValueNode) -> Value?
    ) -> (ValueNode, Tether) {
        for input in inputs { input.refuseAccessInBody() }
        let node = ValueNode(name, from: inputs, ending: ending, isKept: true) { node, _ in
            let node = unsafeDowncast(node, to: ValueNode<Value>.self)
            node.memory?.isStaged = true
            guard let new = next(node) else { return false }
            return node.take(new, nil)
        }
        node.memory = memory
        let tether = Tether(node)
        node.makeCoresIfNeeded()
        node.linkInputs()
        let thread = ThreadIdentity.current
        func link() -> Bool {
            node.tryToLink {
                let sections = PureSection.begin(thread, node)
                let first = initial()
                PureSection.end(thread, sections, node)?.perform()
                return first
            }
        }
        // As in `link()`: if a root changes during each attempt, threads that set one wait.
        var failures = 0
        while !(failures < PropertyNode.attempts ? link() : node.linkWhileRootsWait(link)) {
            failures = failures < PropertyNode.attempts ? failures + 1 : 0
            node.linkInputs()
        }
        node.endIfInputsHave()
        return (node, tether)
    }

    /// Makes a node that is derived from its inputs alone.
    ///
    /// - Parameter compute: Calls ``take(_:_:)`` and returns its result.
    @_alwaysEmitIntoClient
    static func pulled(
        _ name: NodeName, from inputs: [PropertyNode],
        compute: @escaping @Sendable (_ node: PropertyNode, _ pull: UnsafePointer<Pull>?) -> Bool
    ) -> ValueNode {
        for input in inputs { input.refuseAccessInBody() }
        return ValueNode(name, from: inputs, compute: compute)
    }
}

extension ValueNode where Value: Equatable {
    /// Makes a node that is derived from its inputs alone, and does not report a change to an equal value.
    package static func pulledWithoutRepeats(
        _ name: NodeName, from inputs: [PropertyNode], ending: Ending,
        value: @escaping @Sendable (_ node: PropertyNode, _ pull: UnsafePointer<Pull>?) -> Value
    ) -> ValueNode {
        for input in inputs { input.refuseAccessInBody() }
        return ValueNode(name, from: inputs, ending: ending) { node, pull in
            let node = unsafeDowncast(node, to: ValueNode<Value>.self)
            let new = value(node, pull)
            // It does not matter which of several equal values the node has. So only the events are compared.
            if pull == nil, node.value.unsafelyUnwrapped == new { return false }
            return node.take(new, pull)
        }
    }
}

extension Property {
    /// Makes a property with the same value in a domain of its own, whatever this one is derived from. The value does
    /// not change while a thread owns that domain.
    package func inOwnDomain(named name: StaticString) -> Property {
        let input = node
        // The second input never changes. With two inputs in different domains, the node heads a domain.
        let (node, tether) = ValueNode<Value>.kept(
            .alone(name), from: [input, RootNode((), name: StreamName(name))], ending: .with(0),
            initial: { input.latest }, next: { input.given(to: $0, nil) })
        return Property(node, tether)
    }
}

extension PropertyProtocol {
    /// Makes a property whose value is computed from the current value of this one.
    @_alwaysEmitIntoClient
    func pull<NewValue: Sendable>(
        _ name: StaticString, _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> Property<NewValue> {
        withNode { input in
            input.refuseAccessInBody()
            return Property(
                ValueNode<NewValue>(.after(name), from: input) { node, pull in
                    unsafeDowncast(node, to: ValueNode<NewValue>.self).take(transform(input.given(pull)), pull)
                })
        }
    }

    /// Makes a property whose value depends on all changes of this one.
    ///
    /// - Parameters:
    ///   - initial: Computes the first value.
    ///   - memory: What the node remembers besides its value, if anything.
    ///   - next: Computes a new value from this property's value and its own, or returns `nil` if its own stays as it
    ///     is.
    @_alwaysEmitIntoClient
    package func keep<NewValue: Sendable>(
        _ name: StaticString, initial: (Value) -> NewValue, memory: NodeMemory? = nil,
        next: @escaping @Sendable (_ value: Value, _ former: NewValue) -> NewValue?
    ) -> Property<NewValue> {
        withNode { input in
            let (node, tether) = ValueNode<NewValue>.kept(
                .after(name), from: [input], initial: { initial(input.latest) }, memory: memory,
                next: { next(input.given(nil), $0.value.unsafelyUnwrapped) })
            return Property(node, tether)
        }
    }
}
