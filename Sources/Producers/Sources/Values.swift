extension SignalProducer {
    // Disfavored, so that the compiler tries the overloads for `Never` first if a chain does not state its error type.
    // Otherwise type checking a long chain would take minutes.

    /// A producer of one value.
    ///
    /// ```marbles
    /// SignalProducer(value: 1)    1|
    /// ```
    @inlinable @_disfavoredOverload
    public init(value: Value) { self.init(StreamName("value"), .value(value)) }

    /// A producer of the elements of a sequence.
    ///
    /// ```marbles
    /// SignalProducer([1, 2, 3])    123|
    /// ```
    ///
    /// Each start iterates the sequence from its beginning, immediately and on the thread of the start, as long as the
    /// next element is needed. A sequence can be infinite if something downstream ends the start. Retains only the
    /// iterator.
    @inlinable @_disfavoredOverload
    public init<Elements: Sequence & Sendable>(_ values: Elements) where Elements.Element == Value {
        self.init(StreamName("values"), .iteration(over: values))
    }

    /// A producer of the given values, two or more.
    @inlinable @_disfavoredOverload
    public init(values first: Value, _ second: Value, _ others: Value...) { self.init([first, second] + others) }

    /// A producer that fails immediately.
    @inlinable
    public init(error: Failure) { self.init(StreamName("error"), .ended(.error(error))) }

    /// A producer of the value or the error of a result.
    @inlinable
    public init(result: Result<Value, Failure>) {
        switch result {
        case .success(let value): self.init(value: value)
        case .failure(let error): self.init(error: error)
        }
    }

    /// A producer that completes immediately.
    @_alwaysEmitIntoClient
    public static var empty: SignalProducer { SignalProducer(StreamName("empty"), .ended(.completed)) }

    /// A producer that is interrupted immediately.
    @_alwaysEmitIntoClient
    package static var interrupted: SignalProducer { SignalProducer(StreamName("interrupted"), .ended(.interrupted)) }

    /// A producer that sends nothing until it is disposed of.
    @_alwaysEmitIntoClient
    public static var never: SignalProducer {
        SignalProducer(StreamName("never")) { start, sink in
            // The start retains the core from now on. There is no input observer whose release would interrupt
            // it.
            _ = Core.head(of: sink)
        }
    }
}

// Where nothing else determines the type of the values, as in `take(until: .never)`, there are none.
extension SignalProducer where Value == Never {
    /// A producer that completes immediately.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static var empty: SignalProducer { .empty }

    /// A producer that sends nothing until it is disposed of.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static var never: SignalProducer { .never }
}

// Overloads for producers that cannot fail, so that callers need not state the error type.
extension SignalProducer where Failure == Never {
    /// A producer of one value, which cannot fail.
    @inlinable
    public init(value: Value) { self.init(StreamName("value"), .value(value)) }

    /// A producer of the elements of a sequence, which cannot fail: see ``SignalProducer/init(_:)-6bvzq``.
    @inlinable
    public init<Elements: Sequence & Sendable>(_ values: Elements) where Elements.Element == Value {
        self.init(StreamName("values"), .iteration(over: values))
    }

    /// A producer of the given values, two or more, which cannot fail.
    @inlinable
    public init(values first: Value, _ second: Value, _ others: Value...) { self.init([first, second] + others) }
}

extension SignalProducer.Work {
    @_alwaysEmitIntoClient
    static func iteration<S: Sequence & Sendable>(over values: S) -> Self where S.Element == Value {
        .chain { start, sink in
            var elements = values.makeIterator()
            // Checks `isOver` first, so that no element is computed that is not needed.
            while !start.isOver, let element = elements.next() { sink.next(element) }
            sink.end(.completed)
        }
    }
}
