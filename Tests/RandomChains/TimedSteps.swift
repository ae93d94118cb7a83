import ReactiveSignals
import TestSupport

extension Step {
    /// The operators that take a scheduler.
    static let timedSteps: [@Sendable (inout Choices, _ position: Int) -> Step] = [
        { random, position in
            let span = Span.random(&random, position: position)
            return Step("delay(\(span), on: clock)", gate: .own, { $0.delay(span.duration, on: $1.clock) }) {
                DelayModel(interval: span.nanoseconds)
            }
        },
        { random, position in
            let span = Span.random(&random, position: position)
            let (latest, discards) = (random.once(in: 2), random.once(in: 2))
            return Step(
                "throttle(\(span), on: clock, latest: \(latest), discardWhenCompleted: \(discards))", gate: .own,
                { $0.throttle(span.duration, on: $1.clock, latest: latest, discardWhenCompleted: discards) }
            ) { ThrottleModel(interval: span.nanoseconds, sendsLatest: latest, discards: discards) }
        },
        { random, position in
            let span = Span.random(&random, position: position)
            let discards = random.once(in: 2)
            return Step(
                "debounce(\(span), on: clock, discardWhenCompleted: \(discards))", gate: .own,
                { $0.debounce(span.duration, on: $1.clock, discardWhenCompleted: discards) }
            ) { DebounceModel(interval: span.nanoseconds, discards: discards) }
        },
        { random, position in
            let span = Span.random(&random, position: position)
            let (skipsEmpty, discards) = (random.once(in: 2), random.once(in: 2))
            return Step(
                """
                collect(every: \(span), on: clock, skipEmpty: \(skipsEmpty), discardWhenCompleted: \(discards))\
                .map(digest)
                """, gate: .own,
                {
                    $0.collect(
                        every: span.duration, on: $1.clock, skipEmpty: skipsEmpty, discardWhenCompleted: discards
                    ).map(digest)
                }
            ) { CollectEveryModel(interval: span.nanoseconds, skipsEmpty: skipsEmpty, discards: discards) }
        },
        { random, position in
            let span = Span(units: random.number(in: 2...20), position: position)
            return Step(
                "timeout(after: \(span), raising: E3, on: clock)", gate: .shared,
                { $0.timeout(after: span.duration, raising: ChainError(code: 3), on: $1.clock) }
            ) { TimeoutModel(interval: span.nanoseconds, end: .error(ChainError(code: 3))) }
        },
        { random, position in
            let span = Span(units: random.number(in: 2...20), position: position)
            return Step("take(for: \(span), on: clock)", gate: .shared, { $0.take(for: span.duration, on: $1.clock) }) {
                TimeoutModel(interval: span.nanoseconds, end: .completed)
            }
        },
        { random, position in
            let span = Span.random(&random, position: position)
            return Step("skip(for: \(span), on: clock)", gate: .shared, { $0.skip(for: span.duration, on: $1.clock) }) {
                SkipForModel(interval: span.nanoseconds)
            }
        },
        { random, position in
            let span = Span(units: random.number(in: 2...20), position: position)
            return Step(
                "timeout(between: \(span), raising: E3, on: clock)", gate: .shared,
                { $0.timeout(between: span.duration, raising: ChainError(code: 3), on: $1.clock) }
            ) { SilenceModel(interval: span.nanoseconds, alert: .error(ChainError(code: 3))) }
        },
        { random, position in
            let span = Span(units: random.number(in: 2...20), position: position)
            return Step(
                "heartbeat(every: \(span), on: clock) { 77 }", gate: .shared,
                { $0.heartbeat(every: span.duration, on: $1.clock) { 77 } }
            ) { SilenceModel(interval: span.nanoseconds, alert: .next(77)) }
        },
        { random, position in
            let span = Span.random(&random, position: position)
            let count = random.number(in: 1...3)
            return Step(
                "collect(every: \(span), upTo: \(count), on: clock).map(digest)", gate: .own,
                { $0.collect(every: span.duration, upTo: count, on: $1.clock).map(digest) }
            ) { CollectUpToModel(interval: span.nanoseconds, count: count) }
        },
        { random, position in
            let span = Span.random(&random, position: position)
            let limit = random.number(in: 1...3)
            let overflow = random.pick([Overflow.dropOldest, .dropNewest, .fail])
            return Step(
                "pace(every: \(span), on: clock, buffer: \(limit), whenFull: \(overflow), raising: E3)", gate: .own,
                {
                    $0.pace(
                        every: span.duration, on: $1.clock, buffer: limit, whenFull: overflow,
                        raising: ChainError(code: 3))
                }
            ) { PaceModel(interval: span.nanoseconds, limit: limit, overflow: overflow) }
        },
        { random, position in
            let span = Span.random(&random, position: position)
            let limit = random.number(in: 1...3)
            let overflow = random.pick([Overflow.dropOldest, .dropNewest, .fail])
            return Step(
                "rateLimit(1, per: \(span), buffer: \(limit), whenFull: \(overflow), raising: E3, on: clock)",
                gate: .own,
                {
                    $0.rateLimit(
                        1, per: span.duration, buffer: limit, whenFull: overflow, raising: ChainError(code: 3),
                        on: $1.clock)
                }
            ) { PaceModel(interval: span.nanoseconds, limit: limit, overflow: overflow) }
        },
        { random, _ in
            let limit = random.number(in: 1...3)
            let overflow = random.pick([Overflow.dropOldest, .dropNewest, .fail])
            return Step(
                "buffer(upTo: \(limit), whenFull: \(overflow), raising: E3, on: clock)", gate: .own,
                { $0.buffer(upTo: limit, whenFull: overflow, raising: ChainError(code: 3), on: $1.clock) }
            ) { BufferModel(limit: limit, overflow: overflow) }
        },
        { random, _ in
            let count = random.number(in: 1...3)
            return Step(
                "window(count: \(count)).flatten(.merge)", gate: .own,
                { source, _ in source.flattenedWindows(count: count) }
            ) {
                PlainModel(state: ()) { _, value in
                    [.next(value)]
                } end: {
                    [$1]
                }
            }
        },
        { _, _ in
            Step("observe(on: clock)", gate: .own, { $0.observe(on: $1.clock) }) { ObserveOnModel() }
        },
        { _, _ in
            Step("observe(on: immediate)", gate: .own, { source, _ in source.observe(on: ImmediateScheduler()) }) {
                PlainModel(state: ()) { _, value in
                    [.next(value)]
                } end: {
                    [$1]
                }
            }
        },
        { _, _ in
            Step(
                "lazyMap(on: clock) { rest($0 + 2, 9) }", gate: .own,
                { source, w in source.lazyMap(on: w.clock) { w.see(rest($0 &+ 2, 9)) } }
            ) { LazyMapModel() }
        },
        { _, _ in
            Step(
                "lazyMap(on: immediate) { rest($0 + 2, 9) }", gate: .own,
                { source, w in source.lazyMap(on: ImmediateScheduler()) { w.see(rest($0 &+ 2, 9)) } }
            ) {
                PlainModel(state: ()) { _, value in
                    [.next(rest(value &+ 2, 9))]
                } end: {
                    [$1]
                }
            }
        },
    ]
}
