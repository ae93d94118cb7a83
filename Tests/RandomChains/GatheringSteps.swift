import ReactiveSignals
import TestSupport

extension Step {
    /// Operators that gather values.
    static let gatheringSteps: [@Sendable (inout Choices) -> Step] = [
        { _ in
            Step("reduce(4, pair)", { source, w in source.reduce(4) { w.see(pair($0, $1)) } }, state: 4) {
                state, value in
                state = pair(state, value)
                return []
            } end: { state, end in
                end.isCompleted ? [.next(state), end] : [end]
            }
        },
        { _ in
            Step("collect()", { source, _ in source.collect().map(digest) }, state: [Int]()) { values, value in
                values.append(value)
                return []
            } end: { values, end in
                end.isCompleted ? [.next(digest(values)), end] : [end]
            }
        },
        { random in
            let count = random.number(in: 1...3)
            return collect("collect(count: \(count))", { source, _ in source.collect(count: count).map(digest) }) {
                group, value in (group + [value]).count == count ? ([group + [value]], []) : ([], group + [value])
            }
        },
        { random in
            let modulus = random.number(in: 2...4)
            return collect(
                "collect { isMultiple(digest($0), \(modulus)) }",
                { source, w in source.collect { w.see(isMultiple(digest($0), modulus)) }.map(digest) }
            ) { group, value in
                let whole = group + [value]
                return isMultiple(digest(whole), modulus) ? ([whole], []) : ([], whole)
            }
        },
        { random in
            let modulus = random.number(in: 2...4)
            return collect(
                "collect { isMultiple(digest($0) + $1, \(modulus)) }",
                { source, w in source.collect { w.see(isMultiple(digest($0) + $1, modulus)) }.map(digest) }
            ) { group, value in isMultiple(digest(group) + value, modulus) ? ([group], [value]) : ([], group + [value])
            }
        },
        { _ in
            Step("count()", { source, _ in source.count() }, state: 0) { count, _ in
                count += 1
                return []
            } end: { count, end in
                end.isCompleted ? [.next(count), end] : [end]
            }
        },
        { _ in extreme("min()", { source, _ in source.min() }) { $0 > $1 } },
        { random in
            let modulus = random.number(in: 2...6)
            return extreme(
                "max { rest($0, \(modulus)) < rest($1, \(modulus)) }",
                { source, w in source.max { w.see(rest($0, modulus) < rest($1, modulus)) } }
            ) { rest($0, modulus) < rest($1, modulus) }
        },
        { random in
            let count = random.number(in: 1...3)
            return Step(
                "slidingWindow(\(count))", { source, _ in source.slidingWindow(count).map(digest) }, state: [Int]()
            ) { window, value in
                window = (window + [value]).suffix(count)
                return window.count == count ? [.next(digest(window))] : []
            }
        },
        { random in
            let modulus = random.number(in: 3...6)
            return search(
                "allSatisfy { !isMultiple($0, \(modulus)) }", found: false,
                { source, w in source.allSatisfy { w.see(!isMultiple($0, modulus)) }.map { $0 ? 1 : 0 } }
            ) { isMultiple($0, modulus) }
        },
        { random in
            let modulus = random.number(in: 3...6)
            return search(
                "contains { isMultiple($0, \(modulus)) }", found: true,
                { source, w in source.contains { w.see(isMultiple($0, modulus)) }.map { $0 ? 1 : 0 } }
            ) { isMultiple($0, modulus) }
        },
    ]

    private struct Groups: Sendable {
        var current: [Int] = []
        var hasSent = false
    }

    /// - Parameter divide: Returns, for the current group and a value, the groups to send and the new current group.
    private static func collect(
        _ description: String, _ apply: @escaping @Sendable (IntChain, World) -> IntChain,
        _ divide: @escaping @Sendable ([Int], Int) -> (sent: [[Int]], current: [Int])
    ) -> Step {
        Step(description, apply, state: Groups()) { groups, value in
            let (sent, current) = divide(groups.current, value)
            groups = Groups(current: current, hasSent: groups.hasSent || !sent.isEmpty)
            return sent.map { .next(digest($0)) }
        } end: { groups, end in
            guard end.isCompleted, !groups.current.isEmpty || !groups.hasSent else { return [end] }
            return [.next(digest(groups.current)), end]
        }
    }

    /// - Parameter replaces: Whether a new value replaces the kept one.
    private static func extreme(
        _ description: String, _ apply: @escaping @Sendable (IntChain, World) -> IntChain,
        _ replaces: @escaping @Sendable (Int, Int) -> Bool
    ) -> Step {
        Step(description, apply, state: Int?.none) { kept, value in
            if let former = kept, !replaces(former, value) { return [] }
            kept = value
            return []
        } end: { kept, end in
            end.isCompleted ? [kept.map { .next($0) }, end].compactMap(\.self) : [end]
        }
    }

    private static func search(
        _ description: String, found: Bool, _ apply: @escaping @Sendable (IntChain, World) -> IntChain,
        _ isFound: @escaping @Sendable (Int) -> Bool
    ) -> Step {
        Step(description, apply, state: ()) { _, value in
            isFound(value) ? [.next(found ? 1 : 0), .completed] : []
        } end: { _, end in
            end.isCompleted ? [.next(found ? 0 : 1), end] : [end]
        }
    }
}
