#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Validation")
    struct ValidationExplorations {
        typealias Validating = ValidatingProperty<Int, TestFailure>

        /// The value of a property, and its result for the last proposal.
        struct State: Hashable, Sendable, CustomStringConvertible {
            let value: Int
            let proposed: Int
            let isValid: Bool

            init(_ value: Int, _ result: Validating.Result) {
                self.value = value
                proposed = result.proposed
                isValid = !result.isInvalid
            }

            var description: String { "\(value) with \(isValid ? "valid" : "invalid") \(proposed)" }
        }

        private static func states(_ property: Validating) -> Property<State> {
            property.combineLatest(with: property.result).map { State($0.0, $0.1) }
        }

        @Test("a value and its result change together")
        func together() {
            exhaust(
                Scenario("two threads propose, one of them what is refused") { trial in
                    let property = Validating(0) { $0 < 10 ? .valid : .invalid(TestFailure()) }
                    let states = Self.states(property)
                    let values = Recorder<Int, Never>(trial, "the values")
                    let all = Recorder<State, Never>(trial, "the states")
                    property.signal.observe(values)
                    states.signal.observe(all)
                    @Sendable func check(_ state: State) {
                        trial.expect(state.isValid == (state.proposed < 10), "\(state)")
                        if state.isValid { trial.expect(state.value == state.proposed, "\(state)") }
                    }
                    trial.thread {
                        property.value = 1
                        property.value = 11
                    }
                    trial.thread { property.value = 2 }
                    trial.thread { check(states.value) }
                    trial.finally {
                        values.expectAll([[1], [2]])
                        trial.expect(all.values.count == 3, "\(all.values)")
                        for state in all.values { check(state) }
                        trial.expect(property.value == values.values.last, "\(property.value)")
                    }
                }, preemptions: 1)
        }

        @Test("a rule between two properties is never violated for an observer", arguments: [0, 1])
        func rule(kind: Int) {
            exhaust(
                Scenario("an upper limit that follows another property, \(kind == 0 ? "set" : "proposed")") { trial in
                    let limit = MutableProperty(10)
                    let validatedLimit = Validating(10) { $0 >= 0 ? .valid : .invalid(TestFailure()) }
                    let limits = kind == 0 ? Property(limit) : Property(validatedLimit)
                    let property = Validating(0, with: limits) { value, limit in
                        value <= limit ? .valid : .coerced(limit, nil)
                    }
                    let pairs = property.combineLatest(with: limits).map { Pair($0) }
                    let all = Recorder<Pair, Never>(trial, "the pairs")
                    pairs.signal.observe(all)
                    trial.thread { for value in [7, 9] { property.value = value } }
                    trial.thread { if kind == 0 { limit.value = 5 } else { validatedLimit.value = 5 } }
                    trial.thread {
                        let pair = pairs.value
                        trial.expect(pair.left <= pair.right, "\(pair)")
                    }
                    trial.finally {
                        for pair in all.values { trial.expect(pair.left <= pair.right, "\(all.values)") }
                        trial.expect(property.value == 5 && limits.value == 5, "\(property.value), \(limits.value)")
                        trial.expect(property.result.value.proposed == 9, "\(property.result.value)")
                        withExtendedLifetime((limit, validatedLimit)) {}
                    }
                }, preemptions: 1)
        }

        @Test("a wrapper reports values that others set on the wrapped property")
        func wrapped() {
            exhaust(
                Scenario("a proposal beside a set of the wrapped property") { trial in
                    let inner = MutableProperty(0)
                    let property = Validating(inner) { $0 < 10 ? .valid : .invalid(TestFailure()) }
                    let states = Self.states(property)
                    let values = Recorder<Int, Never>(trial, "the values")
                    let all = Recorder<State, Never>(trial, "the states")
                    inner.signal.observe(values)
                    states.signal.observe(all)
                    @Sendable func check(_ state: State) {
                        trial.expect(state.isValid == (state.proposed < 10), "\(state)")
                        if state.isValid { trial.expect(state.value == state.proposed, "\(state)") }
                    }
                    trial.thread { for value in [1, 11] { property.value = value } }
                    trial.thread { inner.value = 12 }
                    trial.thread { check(states.value) }
                    trial.finally {
                        values.expectAll([[1], [12]])
                        for state in all.values { check(state) }
                        trial.expect(property.value == values.values.last, "\(property.value)")
                        trial.expect([11, 12].contains(property.result.value.proposed), "\(property.result.value)")
                    }
                }, preemptions: 1)
        }

        @Test("no result is sent after an observation of the results has been disposed of")
        func disposal() {
            exhaust(
                Scenario("an observation of the results is disposed of beside two proposals") { trial in
                    let property = Validating(0) { $0 < 10 ? .valid : .invalid(TestFailure()) }
                    let results = Recorder<Int, Never>(trial, "the results")
                    let observation = property.result.map { $0.proposed }.signal.observe(results)
                    trial.thread { for value in [1, 11] { property.value = value } }
                    trial.thread { property.value = 2 }
                    trial.thread {
                        observation?.dispose()
                        results.isDisposed()
                    }
                    trial.finally {
                        results.expectOrder([[1, 11], [2]])
                        trial.expect([1, 2].contains(property.value), "\(property.value)")
                    }
                }, preemptions: 1)
        }

        @Test("a validating property that is released during proposals ends once, and leaves nothing behind")
        func release() {
            exhaust(
                Scenario("validating properties go beside proposals") { trial in
                    let token = trial.token()
                    let other = MutableProperty(0)
                    let owned = Validating(0, with: other) { [token] _, _ in
                        token.touch()
                        return .valid
                    }
                    let handles = (0..<2).map { _ in Held(owned) }
                    let values = Recorder<Int, Never>(trial, "the values")
                    let results = Recorder<Bool, Never>(trial, "the results")
                    owned.signal.observe(values)
                    owned.result.signal.map { $0.isInvalid }.observe(results)
                    for (index, handle) in handles.enumerated() {
                        trial.thread {
                            handle.value?.value = index + 1
                            handle.value = nil
                        }
                    }
                    trial.thread { other.value = 1 }
                    trial.finally {
                        values.expectOneEnd()
                        results.expectOneEnd()
                        trial.expect(Set(values.values).isSuperset(of: [1, 2]), "\(values.values)")
                    }
                }, preemptions: 1)
        }
    }
}
#endif
