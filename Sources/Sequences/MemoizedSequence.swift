/// A lazy sequence that computes each element at most once and stores it.
///
/// A `MemoizedSequence` is pull-driven, whereas `Signal` is push-driven. Unlike a lazy sequence of the standard
/// library, it calls a closure at most once per element, however often and from however many threads the element is
/// read. Sequences derived from it share the stored elements.
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
/// Reading an element blocks the caller while it is being computed, by the caller or by another thread. No lock is held
/// in the meantime. A closure that reads the element it is computing traps, and so does a cycle of threads whose
/// elements need one another.
///
/// A closure can send into a signal. If the thread that is delivering on that signal waits for the element that the
/// closure computes, waiting for that thread would close a cycle. The closure's event is then left to that thread,
/// which delivers it after it has received the element. Other waits are not detected: if a closure waits for one of
/// your locks, and the thread that holds the lock reads the element, the threads deadlock.
///
/// An element is stored as long as its position in the sequence is retained. To free the elements at the beginning,
/// retain only ``tail``. Releasing a sequence of any length does not recurse deeply.
@frozen
public struct MemoizedSequence<Element: Sendable>: Sendable {
    @usableFromInline let start: MemoLink<Element>
    /// Whether all elements have been computed, so that derived sequences compute theirs immediately too.
    @usableFromInline let isEager: Bool

    @inlinable
    init(start: MemoLink<Element>, isEager: Bool = false) {
        self.start = start
        self.isEager = isEager
    }

    /// Creates a sequence whose first element and remainder are computed by closures, each at most once.
    ///
    /// The closures can be called in any order and from any thread. The second one is called when an element of the
    /// remainder is needed: by `tail.isEmpty`, for example, but not by ``tail``.
    ///
    /// ```swift
    /// @Sendable func numbers(from first: Int) -> MemoizedSequence<Int> {
    ///     MemoizedSequence(head: { first }, tail: { numbers(from: first + 1) })
    /// }
    /// Array(numbers(from: 1).prefix(3))       // [1, 2, 3]
    /// ```
    @inlinable
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
    @inlinable
    public static var empty: MemoizedSequence { MemoizedSequence(start: Memo(known: nil)) }

    /// Whether the sequence has no elements. Finds the first element without computing it.
    ///
    /// ```swift
    /// [1].memoized.map(slow).isEmpty      // false, and `slow` has not run
    /// ```
    @inlinable
    public var isEmpty: Bool { start.value == nil }

    /// The first element, or `nil` if the sequence is empty.
    ///
    /// ```swift
    /// (5...).memoized.head        // 5
    /// ```
    @inlinable
    public var head: Element? { start.value?.head.value }

    /// The sequence without its first element, which is not computed. The tail of an empty sequence is empty.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.tail)      // [2, 3]
    /// ```
    @inlinable
    public var tail: MemoizedSequence {
        guard let node = start.value else { return self }
        return MemoizedSequence(start: node.tail, isEager: isEager)
    }

    /// Returns the result of an operator.
    @inlinable
    func derive<Result>(_ start: MemoLink<Result>) -> MemoizedSequence<Result> {
        let result = MemoizedSequence<Result>(start: start)
        return isEager ? result.eager : result
    }
}

extension MemoizedSequence: Sequence {
    /// Iterates over a ``MemoizedSequence``, and retains only the elements that follow.
    @frozen
    public struct Iterator: IteratorProtocol, Sendable {
        @usableFromInline var rest: MemoLink<Element>

        @inlinable
        init(rest: MemoLink<Element>) { self.rest = rest }

        /// The next element, computed if necessary.
        @inlinable
        public mutating func next() -> Element? {
            guard let node = rest.value else { return nil }
            rest = node.tail
            return node.head.value
        }
    }

    /// Creates an iterator that computes each element when it reaches it.
    ///
    /// ```swift
    /// for line in lines.memoized.prefix(10) { print(line) }
    /// ```
    @inlinable
    public consuming func makeIterator() -> Iterator { Iterator(rest: start) }
}
