import HotSignals

/// The validation of a property that wraps another one, which other code can also set.
///
/// A proposed value is validated first, and then set together with the result, in one ``Propagation``. A value that
/// other code sets is validated in the same propagation.
final class InnerValidation<Value: Sendable, ValidationError: Error>: Validation {
    typealias Decision = ValidatingProperty<Value, ValidationError>.Decision
    typealias Result = ValidatingProperty<Value, ValidationError>.Result

    var lifetime: Lifetime { latestResult.lifetime }
    let result: Property<Result>
    private let inner: MutableProperty<Value>
    /// The result of the last proposal; `nil` if there was none.
    private let latestResult: RootNode<Result?>
    private let validator: @Sendable (Value) -> Decision

    init(_ inner: MutableProperty<Value>, _ validator: @escaping @Sendable (Value) -> Decision) {
        self.inner = inner
        self.validator = validator
        let root = inner.root
        let latestResult = RootNode(Result?.none, name: StreamName("validation"))
        self.latestResult = latestResult
        let (node, tether) = ValueNode<Result>.kept(
            .alone("result"), from: [latestResult, root], ending: .with(0),
            initial: {
                let value = root.latest
                return Result(value, validator(value))
            },
            next: { node in
                func hasChanged(_ input: PropertyNode) -> Bool { input.isStaged(for: node) && input.staged.hasNext }
                if hasChanged(latestResult), let result = latestResult.given(to: node, nil) { return result }
                guard hasChanged(root) else { return nil }
                let value = root.given(to: node, nil)
                return Result(value, validator(value))
            })
        node.domain.withLock { node.links.isDeliveredFirst = true }
        result = Property(node, tether)
    }

    func end() { latestResult.end() }

    // MARK: Proposals

    func propose(_ value: Value) {
        let thread = ThreadIdentity.current
        PureSection.refuseSet(of: inner.root, thread)
        let sections = PureSection.begin(thread, inner.root)
        let result = Result(value, validator(value))
        PureSection.end(thread, sections, inner.root)?.perform()
        var entered = EnteredDomains()
        let root = enter(&entered, thread)
        finish(result, root, thread, &entered)
    }

    func modify<BodyResult, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (inout Value) throws(BodyFailure) -> BodyResult
    ) throws(BodyFailure) -> BodyResult {
        let thread = ThreadIdentity.current
        PureSection.refuseSet(of: inner.root, thread)
        var entered = EnteredDomains()
        let root = enter(&entered, thread)
        let sections = PureSection.begin(thread, root)
        _ = root.beginBody(mayBeInPlace: false)
        var value = root.domain.withLock { root.value.unsafelyUnwrapped }
        let (outcome, _) = root.access(thread, &value, body)
        root.endBody()
        let result = Result(value, validator(value))
        let afterwards = PureSection.end(thread, sections, root)
        finish(result, root, thread, &entered)
        afterwards?.perform()
        return try outcome.get()
    }

    func withValue<BodyResult, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (Value) throws(BodyFailure) -> BodyResult
    ) throws(BodyFailure) -> BodyResult { try inner.withValue(body) }

    /// Enters the domains of the root that decides on the value, which is returned, and of the result.
    private func enter(_ entered: inout EnteredDomains, _ thread: UInt) -> RootNode<Value> {
        while true {
            let root = inner.root.deciding(inner.root.decider)
            entered.enter(setting: [root, latestResult], thread)
            if root === inner.root.decider { return root }
            entered.leave(thread)
        }
    }

    /// Sets the value and the result, leaves the domains, and delivers the events.
    private func finish(
        _ result: Result, _ root: RootNode<Value>, _ thread: UInt, _ entered: inout EnteredDomains
    ) {
        let events: Events
        if let value = result.value {
            let held = Domain.acquire(latestResult.domain, root.domain)
            latestResult.stage(result, held)
            root.stage(value, held)
            events = Propagation.take(latestResult, root, thread, held, leaves: false)
        } else {
            let held = latestResult.domain.acquire()
            latestResult.stage(result, held)
            events = latestResult.propagateToEvents(thread, held, mayWait: true).events
        }
        entered.leave(thread)
        events.deliver(thread, mayWait: inner.root.contention == .wait)
    }
}
