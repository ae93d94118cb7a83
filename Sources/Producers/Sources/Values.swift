extension SignalProducer {
    // Disfavoured, so that a chain whose failure is not spelled out is checked with the form for `Never` first: a long one would
    // take the compiler minutes otherwise.

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
    @inlinable
    public static var empty: SignalProducer { SignalProducer(StreamName("empty"), .ended(.completed)) }

    /// A producer that is interrupted at once.
    @inlinable
    package static var interrupted: SignalProducer { SignalProducer(StreamName("interrupted"), .ended(.interrupted)) }

    /// A producer that sends nothing until it is disposed of.
    @inlinable
    public static var never: SignalProducer {
        SignalProducer(StreamName("never")) { run, sink in
            // The run holds the core from now on: there is no input whose release would interrupt it.
            _ = Core.head(of: sink)
        }
    }
}

// So that the failure need not be spelled out where there is none.
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
    @inlinable
    static func iteration<S: Sequence & Sendable>(over values: S) -> Self where S.Element == Value {
        .chain { run, sink in
            var elements = values.makeIterator()
            // In this order: no element is computed that nobody waits for.
            while !run.isOver, let element = elements.next() { sink.next(element) }
            sink.finish()
        }
    }
}
