import ReactiveSignals
import TestSupport

extension Step {
    /// Operators on terminal events.
    static let endingSteps: [@Sendable (inout Choices) -> Step] = [
        { _ in
            Step(
                "materialize().map(digest)",
                { source, w in source.materialize().map { w.see(digest($0)) }.promoteError() }, state: ()
            ) { _, value in
                [.next(value)]
            } end: { _, end in
                [.next(digest(end)), end == .interrupted ? .interrupted : .completed]
            }
        },
        { random in
            let modulus = random.number(in: 4...8)
            return Step(
                "materialize().map { event($0, \(modulus)) }.dematerialize()",
                { source, w in
                    source.materialize().map { w.see($0.value.map { event($0, modulus) } ?? $0) }.dematerialize()
                }, state: ()
            ) { _, value in [event(value, modulus)] }
        },
        { random in
            let modulus = random.number(in: 4...8)
            return Step(
                "materializeResults().map { event($0, \(modulus)) }.dematerialize()",
                { source, w in
                    source.materializeResults().map { w.see(event(digest($0), modulus)) }.dematerialize()
                }, state: ()
            ) { _, value in
                [event(value, modulus)]
            } end: { _, end in
                guard case .error = end else { return [end] }
                return [event(digest(end), modulus), .completed]
            }
        },
        { _ in
            Step(
                "materializeResults().map(digest)",
                { source, w in source.materializeResults().map { w.see(digest($0)) }.promoteError() }, state: ()
            ) { _, value in
                [.next(value)]
            } end: { _, end in
                guard case .error = end else { return [end] }
                return [.next(digest(end)), .completed]
            }
        },
        { random in
            let modulus = random.number(in: 4...8)
            return Step(
                "materializeResults().map { result($0, \(modulus)) }.dematerializeResults()",
                { source, w in
                    source.materializeResults().map { w.see(result(digest($0), modulus)) }.dematerializeResults()
                }, state: ()
            ) { _, value in
                isMultiple(value, modulus) ? [.error(ChainError(code: 8))] : [.next(value)]
            } end: { _, end in
                guard case .error = end else { return [end] }
                return isMultiple(digest(end), modulus)
                    ? [.error(ChainError(code: 8))] : [.next(digest(end)), .completed]
            }
        },
        { _ in
            Step(
                "mapError { $0 + 1 }", { source, w in source.mapError { w.see(ChainError(code: $0.code + 1)) } },
                state: ()
            ) { _, value in
                [.next(value)]
            } end: { _, end in
                [end.mapError { ChainError(code: $0.code + 1) }]
            }
        },
        { random in
            let modulus = random.number(in: 4...8)
            return Step(
                "attempt(check(\(modulus)))",
                { source, w in source.attempt { value throws(ChainError) in _ = try w.see(check(value, modulus)) } },
                state: ()
            ) { _, value in isMultiple(value, modulus) ? [.error(ChainError(code: 9))] : [.next(value)] }
        },
        { random in
            let modulus = random.number(in: 4...8)
            return Step(
                "attemptMap(check(\(modulus)))",
                { source, w in source.attemptMap { value throws(ChainError) in try w.see(check(value, modulus)) } },
                state: ()
            ) { _, value in
                isMultiple(value, modulus) ? [.error(ChainError(code: 9))] : [.next(rest(value &+ 1, 1_009))]
            }
        },
        { _ in
            Step("concat(value: 6)", { source, _ in source.concat(value: 6) }, state: ()) { _, value in
                [.next(value)]
            } end: { _, end in
                end.isError ? [end] : [.next(6), .completed]
            }
        },
        { _ in
            Step("concat(error: E5)", { source, _ in source.concat(error: ChainError(code: 5)) }, state: ()) {
                _, value in
                [.next(value)]
            } end: { _, end in
                end.isError ? [end] : [.error(ChainError(code: 5))]
            }
        },
        { _ in
            Step(
                "exactlyOne(orError: E6)", { source, _ in source.exactlyOne(orError: ChainError(code: 6)) },
                state: [Int]()
            ) { values, value in
                values.append(value)
                return values.count > 1 ? [.error(ChainError(code: 6))] : []
            } end: { values, end in
                guard end.isCompleted else { return [end] }
                return values.isEmpty ? [.error(ChainError(code: 6))] : [.next(values[0]), end]
            }
        },
        { _ in
            Step("defaultIfEmpty(6)", { source, _ in source.defaultIfEmpty(6) }, state: true) { isEmpty, value in
                isEmpty = false
                return [.next(value)]
            } end: { isEmpty, end in
                isEmpty && end.isCompleted ? [.next(6), end] : [end]
            }
        },
        { random in
            let completes = random.once(in: 2)
            return Step(
                "ignoreErrors(complete: \(completes))",
                { source, _ in source.ignoreErrors(complete: completes).promoteError() }, state: ()
            ) { _, value in
                [.next(value)]
            } end: { _, end in
                end.isError ? [completes ? .completed : .interrupted] : [end]
            }
        },
        { _ in
            Step("ignoreValues()", { source, _ in source.ignoreValues().promoteValue() }, state: ()) { _, _ in [] }
        },
    ]
}
