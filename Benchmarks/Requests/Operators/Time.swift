import ReactiveServer
import ReactiveSignals

private let second = Duration.seconds(1)
private let limiter = RateLimiter(.max, per: .seconds(1), on: still)
private let breaker = CircuitBreaker<Failure, ContinuousClock.Instant>(
    failures: 2, reset: .constant(.seconds(1), upTo: 2), on: still)
private let isThrottled = MutableProperty(false)

/// Operators that use a scheduler, and those that limit what is started.
let timeRows: [Row] = [
    ("observe(on:)", { handler($0).observe(on: inline).startWithNext { use($0) } }),
    ("start(on:)", { handler($0).start(on: inline).startWithNext { use($0) } }),
    ("delay(_:on:)", { handler($0).delay(second, on: hasty).startWithNext { use($0) } }),
    ("delay(on:by:)", { handler($0).delay(on: hasty) { _ in second }.startWithNext { use($0) } }),
    ("delayStart(_:on:)", { handler($0).delayStart(second, on: hasty).startWithNext { use($0) } }),
    (
        "debounce(_:on:discardWhenCompleted:)",
        { handler($0).debounce(second, on: hasty).startWithNext { use($0) } }
    ),
    (
        "debounce(on:discardWhenCompleted:by:)",
        { handler($0).debounce(on: hasty) { _ in second }.startWithNext { use($0) } }
    ),
    (
        "settle(for:atMost:on:discardWhenCompleted:)",
        { handler($0).settle(for: second, atMost: .seconds(2), on: hasty).startWithNext { use($0) } }
    ),
    (
        "throttle(_:on:latest:discardWhenCompleted:)",
        { handler($0).throttle(second, on: still).startWithNext { use($0) } }
    ),
    (
        "throttle(_:on:latest:discardWhenCompleted:onDropped:)",
        { handler($0).throttle(second, on: still) { use($0) }.startWithNext { use($0) } }
    ),
    ("throttle(while:on:)", { handler($0).throttle(while: isThrottled, on: inline).startWithNext { use($0) } }),
    (
        "collect(every:on:skipEmpty:discardWhenCompleted:)",
        {
            handler($0).collect(every: second, on: manual, discardWhenCompleted: false).startWithNext { use($0) }
            manual.fire()
        }
    ),
    ("collect(every:upTo:on:)", { handler($0).collect(every: second, upTo: 2, on: still).startWithNext { use($0) } }),
    ("slidingWindow(for:on:)", { handler($0).slidingWindow(for: second, on: still).startWithNext { use($0) } }),
    ("take(for:on:)", { handler($0).take(for: second, on: still).startWithNext { use($0) } }),
    ("skip(for:on:)", { handler($0).skip(for: .zero, on: still).startWithNext { use($0) } }),
    ("timestamped(on:)", { handler($0).timestamped(on: still).startWithNext { use($0) } }),
    ("timeInterval(on:)", { handler($0).timeInterval(on: still).startWithNext { use($0) } }),
    ("heartbeat(every:on:_:)", { handler($0).heartbeat(every: second, on: still) { 0 }.startWithNext { use($0) } }),
    ("onIdle(_:on:_:)", { handler($0).onIdle(second, on: still) { use($0) }.startWithNext { use($0) } }),
    (
        "timeout(after:raising:on:)",
        { failing($0).timeout(after: second, raising: Failure(), on: still).startWithResult { use($0) } }
    ),
    (
        "timeout(after:switchingTo:on:)",
        { handler($0).timeout(after: second, switchingTo: handler(2), on: still).startWithNext { use($0) } }
    ),
    (
        "timeout(between:raising:on:)",
        { failing($0).timeout(between: second, raising: Failure(), on: still).startWithResult { use($0) } }
    ),
    (
        "timeout(between:switchingTo:on:)",
        { handler($0).timeout(between: second, switchingTo: handler(2), on: still).startWithNext { use($0) } }
    ),
    (
        "timeout(afterFirst:raising:on:)",
        { failing($0).timeout(afterFirst: second, raising: Failure(), on: still).startWithResult { use($0) } }
    ),
    (
        "buffer(upTo:whenFull:raising:on:)",
        { handler($0).buffer(upTo: 2, whenFull: .dropOldest, on: inline).startWithNext { use($0) } }
    ),
    (
        "buffer(upTo:whenFull:raising:on:onDropped:)",
        { handler($0).buffer(upTo: 2, whenFull: .dropOldest, on: inline) { use($0) }.startWithNext { use($0) } }
    ),
    (
        "pace(every:on:buffer:whenFull:raising:)",
        { handler($0).pace(every: second, on: still, buffer: 2, whenFull: .dropOldest).startWithNext { use($0) } }
    ),
    (
        "rateLimit(_:per:burst:buffer:whenFull:raising:on:)",
        {
            handler($0).rateLimit(2, per: second, buffer: 2, whenFull: .dropOldest, on: still)
                .startWithNext { use($0) }
        }
    ),
    ("lazyMap(on:transform:)", { handler($0).lazyMap(on: inline, transform: work).startWithNext { use($0) } }),
    ("start(limitedBy:)", { handler($0).start(limitedBy: limiter).startWithNext { use($0) } }),
    ("circuitBreaker(_:)", { failing($0).circuitBreaker(breaker).startWithResult { use($0) } }),
]
