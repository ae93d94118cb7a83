/// A sequence that works out its elements when they are asked for, and remembers them.
///
/// Pull-driven, where `Signal` is push-driven. Like the standard library's lazy sequences, but a closure runs at most once
/// for an element, however often and from however many threads the element is read. Sequences derived from a sequence share
/// what it has remembered.
///
/// ```swift
/// let letters = ["A", "B", "C"].memoized.map { letter in
///     print(letter)
///     return letter + "_"
/// }
/// letters.head            // prints A; "A_"
/// letters.tail.head       // prints B; "B_"
/// letters.tail.head       // prints nothing; "B_"
/// letters.map { "_" + $0 }.tail.head      // prints nothing; "_B_"
/// ```
///
/// Reading blocks the caller while elements are worked out, here or by another thread that asked first. No lock is held
/// meanwhile. A closure that asks for the very element that it is to give traps, and so does a ring of threads whose
/// elements need each other.
///
/// A closure may send into a signal. If the thread that delivers there waits for the closure's element, waiting for that
/// thread would close a cycle: the closure's event is handed over to it instead, and delivered once it has the element.
/// Other waits are not seen: a closure that waits for a lock of yours, held by a thread that wants its element, deadlocks.
///
/// An element is remembered as long as its place in the sequence is held. Let go of the beginning, and keep
/// ``tail``, to free what lies before; a sequence of any length is freed without deep recursion.
public struct MemoizedSequence<Element: Sendable>: Sendable {
    let start: MemoLink<Element>
    /// Whether everything is evaluated, and everything derived is to be.
    let isEager: Bool

    init(start: MemoLink<Element>, isEager: Bool = false) {
        self.start = start
        self.isEager = isEager
    }

    /// A sequence whose first element and whose rest are worked out by closures, each of which runs at most once.
    ///
    /// They may be asked for in any order, from any thread. The rest is asked for when something of it is: not by ``tail``,
    /// but by `tail.isEmpty`.
    ///
    /// ```swift
    /// @Sendable func numbers(from first: Int) -> MemoizedSequence<Int> {
    ///     MemoizedSequence(head: { first }, tail: { numbers(from: first + 1) })
    /// }
    /// Array(numbers(from: 1).prefix(3))       // [1, 2, 3]
    /// ```
    public init(head: @escaping @Sendable () -> Element, tail: @escaping @Sendable () -> MemoizedSequence) {
        self.init(
            start: Memo(
                known: MemoNode(
                    head: Memo(.run { .known(head()) }),
                    tail: Memo(.run { .same(tail().start) }))))
    }

    /// A sequence without elements.
    ///
    /// ```swift
    /// let one = MemoizedSequence(head: { 1 }, tail: { .empty })
    /// ```
    public static var empty: MemoizedSequence { MemoizedSequence(start: Memo(known: nil)) }

    /// Whether there is no element. Looks for the first one, but does not work it out:
    ///
    /// ```swift
    /// [1].memoized.map(slow).isEmpty      // false, and `slow` has not run
    /// ```
    public var isEmpty: Bool { start.value == nil }

    /// The first element; nil if there is none.
    ///
    /// ```swift
    /// (5...).memoized.head        // 5
    /// ```
    public var head: Element? { start.value?.head.value }

    /// What comes after the first element, which is not worked out. The tail of an empty sequence is empty.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.tail)      // [2, 3]
    /// ```
    public var tail: MemoizedSequence {
        guard let node = start.value else { return self }
        return MemoizedSequence(start: node.tail, isEager: isEager)
    }

    /// What an operator returns.
    func derive<Result>(_ start: MemoLink<Result>) -> MemoizedSequence<Result> {
        let result = MemoizedSequence<Result>(start: start)
        return isEager ? result.eager : result
    }
}

extension MemoizedSequence: Sequence {
    /// Goes through a ``MemoizedSequence``, and holds only what is still to come.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate var rest: MemoLink<Element>

        /// The next element, worked out if need be.
        public mutating func next() -> Element? {
            guard let node = rest.value else { return nil }
            rest = node.tail
            return node.head.value
        }
    }

    /// Goes through the elements, working out each one when it is its turn.
    ///
    /// ```swift
    /// for line in lines.memoized.prefix(10) { print(line) }
    /// ```
    public consuming func makeIterator() -> Iterator { Iterator(rest: start) }
}
