extension MemoizedSequence {
    /// Combines the elements from the first to the last.
    ///
    /// Like the standard library's, but gives up each element once it is used, if nobody else holds this sequence. So it
    /// goes through any number of elements in constant memory.
    ///
    /// ```swift
    /// (1...4).memoized.reduce(0, +)       // 10
    /// ```
    public consuming func reduce<Result>(
        _ initial: Result, _ nextResult: (Result, Element) throws -> Result
    ) rethrows -> Result {
        var result = initial
        for element in consume self { result = try nextResult(result, element) }
        return result
    }

    /// Combines the elements from the first to the last into a value that changes in place.
    ///
    /// Like ``reduce(_:_:)``, for results that are costly to copy.
    ///
    /// ```swift
    /// "hello".memoized.reduce(into: [:]) { counts, letter in counts[letter, default: 0] += 1 }
    /// ```
    public consuming func reduce<Result>(
        into initial: Result, _ update: (inout Result, Element) throws -> Void
    ) rethrows -> Result {
        var result = initial
        for element in consume self { try update(&result, element) }
        return result
    }

    /// Combines the elements from the last to the first, as far as `combine` asks for it.
    ///
    /// Like ``reduce(_:_:)`` from the other end, but `combine` decides whether the rest is looked at. So it ends on a
    /// sequence that does not, if `combine` does not always ask for the rest.
    ///
    /// ```swift
    /// (1...).memoized.foldRight(false) { $0 > 3 || $1() }      // true; looks at 1, 2, 3 and 4
    /// ```
    ///
    /// Calls nest as deep as `combine` asks for the rest: thousands of elements are for ``reduce(_:_:)``.
    ///
    /// - Parameters:
    ///   - initial: The result for what comes after the last element.
    ///   - combine: Gets an element and the result for all elements after it, worked out when first called.
    public func foldRight<Result>(
        _ initial: Result, _ combine: (_ element: Element, _ rest: () -> Result) -> Result
    ) -> Result {
        // Nothing keeps `combine`; but it calls the rest, which calls it again.
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
