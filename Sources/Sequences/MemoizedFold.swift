extension MemoizedSequence {
    /// Combines the elements from the first to the last.
    ///
    /// Like the method of the standard library, but releases each element after using it, if nothing else retains this
    /// sequence. It therefore processes any number of elements in constant memory.
    ///
    /// ```swift
    /// (1...4).memoized.reduce(0, +)       // 10
    /// ```
    @inlinable
    public consuming func reduce<Result>(
        _ initial: Result, _ nextResult: (Result, Element) throws -> Result
    ) rethrows -> Result {
        var result = initial
        for element in consume self { result = try nextResult(result, element) }
        return result
    }

    /// Combines the elements from the first to the last into a result that is updated in place.
    ///
    /// Like ``reduce(_:_:)``, but for results that are expensive to copy.
    ///
    /// ```swift
    /// "hello".memoized.reduce(into: [:]) { counts, letter in counts[letter, default: 0] += 1 }
    /// ```
    @inlinable
    public consuming func reduce<Result>(
        into initial: Result, _ update: (inout Result, Element) throws -> Void
    ) rethrows -> Result {
        var result = initial
        for element in consume self { try update(&result, element) }
        return result
    }

    /// Combines the elements from the last to the first, as far as `combine` requests.
    ///
    /// Like ``reduce(_:_:)`` from the other end, but `combine` determines whether the rest is evaluated. It can
    /// therefore return even if the sequence is infinite, provided that `combine` does not always request the rest.
    ///
    /// ```swift
    /// (1...).memoized.foldRight(false) { $0 > 3 || $1() }      // true; looks at 1, 2, 3 and 4
    /// ```
    ///
    /// Calls nest as deeply as `combine` requests the rest. For thousands of elements use ``reduce(_:_:)``.
    ///
    /// - Parameters:
    ///   - initial: The result for the empty rest after the last element.
    ///   - combine: Receives an element, and the result for all elements after it, which is computed when first called.
    @inlinable
    public func foldRight<Result>(
        _ initial: Result, _ combine: (_ element: Element, _ rest: () -> Result) -> Result
    ) -> Result {
        // `combine` does not escape, but it calls `rest`, which calls it again.
        withoutActuallyEscaping(combine) { combine in
            func fold(_ link: MemoLink<Element>) -> Result {
                guard let node = link.value else { return initial }
                var known: Result?
                return combine(node.head.value) {
                    if let known { return known }
                    let result = fold(node.tail)
                    known = result
                    return result
                }
            }
            return fold(start)
        }
    }
}
