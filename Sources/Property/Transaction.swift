import HotSignals

extension Property where Value == Never {
    /// Changes two properties in one step.
    ///
    /// ```swift
    /// let used = [MutableProperty(3), MutableProperty(9)], limit = 10
    /// let sum = used[0].combineLatest(with: used[1]).map { $0 + $1 }
    /// sum.producer.startWithNext { print($0) }  // prints 12
    /// struct Exceeded: Error {}
    /// func move(_ count: Int) throws {
    ///     try Property.transaction(used[0], used[1]) { from, to in
    ///         if from < count || to + count > limit { throw Exceeded() }
    ///         from -= count
    ///         to += count
    ///     }
    /// }
    /// try move(1)                                   // prints 12, and nothing in between
    /// print(used.map(\.value))                      // prints [2, 10]
    /// do { try move(1) } catch { print("refused") } // prints refused
    /// ```
    ///
    /// Readers and observers of what is derived from both see both new values or none. Each property sends one event
    /// after `body` has returned, even if its value is equal.
    ///
    /// **Nothing has changed**: if `body` throws, both properties keep their values, and no event is sent.
    ///
    /// **Threads**: no other thread can change the properties while `body` runs. Readers do not wait, and see the
    /// previous values. Threads that name the properties in another order wait for each other, without a deadlock.
    ///
    /// **In `body`** the rules of ``MutableProperty/modify(_:)`` apply to all properties of the transaction: use only
    /// the values that it receives, read any property that is not derived from them, and set none. So a transaction in
    /// a body of another one, or of a `modify`, traps.
    ///
    /// A ``ValidatingProperty`` around one of the properties validates the new value in the same step, and
    /// ``ValidatingProperty/result`` reports whether it is valid. Properties bound to one of these with `<~>` change
    /// with it. Naming a property twice, or two that are bound to each other, traps.
    ///
    /// - Complexity: About that of setting both properties. Values are copied, not changed in place.
    @_alwaysEmitIntoClient
    public static func transaction<First: Sendable, Second: Sendable, Result, BodyFailure: Error>(
        _ first: MutableProperty<First>, _ second: MutableProperty<Second>,
        _ body: (inout First, inout Second) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        let thread = ThreadIdentity.current
        guard first.root.beginTransaction(with: second.root, thread) else {
            return try transaction([first], second) { (values, two) throws(BodyFailure) in try body(&values[0], &two) }
        }
        var (one, two) = (first.root.stableValue, second.root.stableValue)
        let sections = PureSection.begin(thread, first.root, isBody: true)
        do {
            let result = try body(&one, &two)
            let afterwards = PureSection.end(thread, sections, first.root)
            first.root.endTransaction(with: one, second.root, two, thread)
            afterwards?.perform()
            return result
        } catch {
            let afterwards = PureSection.end(thread, sections, first.root)
            first.root.cancelTransaction(with: second.root, thread)
            afterwards?.perform()
            // Not released before, because that may run the `deinit` of the user's value.
            withExtendedLifetime((one, two)) {}
            throw error
        }
    }

    /// Changes three properties in one step: see ``transaction(_:_:_:)``.
    @_alwaysEmitIntoClient
    public static func transaction<First: Sendable, Second: Sendable, Third: Sendable, Result, BodyFailure: Error>(
        _ first: MutableProperty<First>, _ second: MutableProperty<Second>, _ third: MutableProperty<Third>,
        _ body: (inout First, inout Second, inout Third) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        let transaction = Transaction([first.root, second.root, third.root])
        let roots = (
            transaction.root(0, of: first.root), transaction.root(1, of: second.root),
            transaction.root(2, of: third.root)
        )
        var (one, two, three) = (roots.0.stableValue, roots.1.stableValue, roots.2.stableValue)
        return try transaction.perform(stage: { held in
            roots.0.endTransaction(with: one, held)
            roots.1.endTransaction(with: two, held)
            roots.2.endTransaction(with: three, held)
        }) { () throws(BodyFailure) in try body(&one, &two, &three) }
    }

    /// Changes any number of properties of one type in one step: see ``transaction(_:_:_:)``.
    ///
    /// - Parameters:
    ///   - properties: The properties to change.
    ///   - body: Receives the values in the order of the properties. It must not change their number.
    @_alwaysEmitIntoClient
    public static func transaction<Element: Sendable, Result, BodyFailure: Error>(
        _ properties: [MutableProperty<Element>], _ body: (inout [Element]) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        let transaction = Transaction(properties.map { $0.root })
        let roots = properties.indices.map { transaction.root($0, of: properties[$0].root) }
        var values = roots.map { $0.stableValue }
        return try transaction.perform(stage: { held in
            for place in roots.indices { roots[place].endTransaction(with: values[place], held) }
        }) { () throws(BodyFailure) in
            let result = try body(&values)
            Transaction.requireSameCount(values.count, roots.count)
            return result
        }
    }
}

extension Property where Value == Never {
    /// Changes any number of properties of one type, and one of another type, in one step.
    @_alwaysEmitIntoClient
    package static func transaction<Element: Sendable, Other: Sendable, Result, BodyFailure: Error>(
        _ properties: [MutableProperty<Element>], _ other: MutableProperty<Other>,
        _ body: (inout [Element], inout Other) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        let transaction = Transaction(properties.map { $0.root } + [other.root])
        let roots = properties.indices.map { transaction.root($0, of: properties[$0].root) }
        let last = transaction.root(properties.count, of: other.root)
        var (values, value) = (roots.map { $0.stableValue }, last.stableValue)
        return try transaction.perform(stage: { held in
            for place in roots.indices { roots[place].endTransaction(with: values[place], held) }
            last.endTransaction(with: value, held)
        }) { () throws(BodyFailure) in
            let result = try body(&values, &value)
            Transaction.requireSameCount(values.count, roots.count)
            return result
        }
    }
}

/// A change of several roots, whose domains are owned and whose bodies run from its beginning to its end.
@usableFromInline
final class Transaction {
    private let thread = ThreadIdentity.current
    /// The roots that decide on the values: those that were given, or their leaders.
    @usableFromInline let roots: [PropertyNode]
    /// The same in the order of their domains.
    private let inOrder: [PropertyNode]
    private var entered = EnteredDomains()
    private let mayWait: Bool

    /// Waits for other threads' closures and bodies.
    @usableFromInline
    init(_ all: [PropertyNode]) {
        if let first = all.first { PureSection.refuseSet(of: first, thread) }
        var roots = all.map(\.decider)
        while true {
            entered.enter(setting: roots, thread)
            // Before that, a link that another thread ends or begins may have changed one of two.
            if roots.elementsEqual(all, by: { $0 === $1.decider }) { break }
            entered.leave(thread)
            roots = all.map(\.decider)
        }
        self.roots = roots
        mayWait = all.contains { $0.contention == .wait }
        inOrder = roots.sorted { $0.domain < $1.domain }
        if let root = zip(inOrder, inOrder.dropFirst()).first(where: ===)?.0 {
            trap(
                """
                Property.transaction: a property is named twice, or is bound to another one with <~>: \
                \(all[roots.lastIndex { $0 === root }!].nameAndPlace)
                """)
        }
        for root in roots { root.beginTransaction(thread) }
    }

    /// The root that decides on the value of a given one.
    @_alwaysEmitIntoClient
    func root<Value>(_ place: Int, of root: RootNode<Value>) -> RootNode<Value> {
        unsafeDowncast(roots[place], to: RootNode<Value>.self)
    }

    @usableFromInline
    static func requireSameCount(_ values: Int, _ properties: Int) {
        require(values == properties, "Property.transaction: \(values) values for \(properties) properties")
    }

    /// Runs `body`, and publishes what it has made of the values.
    ///
    /// - Parameter stage: Ends the bodies. Called with the locks of all roots.
    @usableFromInline
    func perform<Result, BodyFailure: Error>(
        stage: (borrowing HeldLock) -> Void, _ body: () throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        guard let first = roots.first else { return try body() }
        let sections = PureSection.begin(thread, first, isBody: true)
        do {
            let result = try body()
            let afterwards = PureSection.end(thread, sections, first)
            // Before the locks of the roots are held, because those of their followers can come before them in the
            // order.
            for root in roots where root.height < 0 { root.noteBodyInFollowers(false) }
            let held = Domain.acquire(inOrder: inOrder.lazy.map(\.domain))
            stage(held)
            for (root, next) in zip(inOrder, inOrder.dropFirst()) { root.staged.successor = .passUnretained(next) }
            inOrder.last?.staged.successor = nil
            let events = Propagation.take(inOrder[0], thread, held, leaves: false)
            entered.leave(thread)
            events.deliver(thread, mayWait: mayWait)
            afterwards?.perform()
            return result
        } catch {
            let afterwards = PureSection.end(thread, sections, first)
            for root in roots { root.cancelTransaction() }
            entered.leave(thread)
            afterwards?.perform()
            throw error
        }
    }
}

extension PropertyNode {
    /// Requires the gates. Publishes what has been staged in two roots, and leaves their domains.
    ///
    /// - Parameter held: The locks of both.
    @usableFromInline
    final func propagate(with other: PropertyNode, _ thread: UInt, _ held: consuming HeldLock, mayWait: Bool) {
        Propagation.take(self, other, thread, held, leaves: true).deliver(thread, mayWait: mayWait)
    }
}

extension RootNode {
    /// The value, for the owner of the gate while no other thread can set it without the gate.
    @_alwaysEmitIntoClient
    var stableValue: Value { value.unsafelyUnwrapped }

    /// Begins the body of a transaction of two roots, if that needs no waiting and nothing is bound to them.
    @_alwaysEmitIntoClient @inline(__always)
    func beginTransaction<Other>(with other: RootNode<Other>, _ thread: UInt) -> Bool {
        if domain.sections.mayContain(thread) || !beginBodyIfIdle(thread) { return false }
        if other.beginBodyIfIdle(thread) { return true }
        cancelTransaction()
        domain.gate.leave(thread)
        return false
    }

    @_alwaysEmitIntoClient @inline(__always)
    func beginBodyIfIdle(_ thread: UInt) -> Bool {
        if !_isPOD(Value.self) { makeCoreIfNeeded() }
        let domain = domain
        let held = domain.acquire()
        let isEntered = isDirect(thread, held)
        if isEntered {
            accessor.store(thread)
            markOwnBody(true, held)
        }
        domain.release(held)
        return isEntered
    }

    /// Ends the body of a transaction of two roots, publishes both values, and delivers the events.
    @_alwaysEmitIntoClient @inline(__always)
    func endTransaction<Other>(with one: Value, _ other: RootNode<Other>, _ two: Other, _ thread: UInt) {
        let mayWait = contention == .wait || other.contention == .wait
        let held = Domain.acquire(domain, other.domain)
        endTransactionBody(held)
        other.endTransactionBody(held)
        guard condition.isSimple, other.condition.isSimple else {
            stage(one, held)
            other.stage(two, held)
            return propagate(with: other, thread, held, mayWait: mayWait)
        }
        // Kept until nothing is owned: a user's object may run code when it is released.
        let former = (value, other.value)
        let publications = (replace(with: one, thread, held), other.replace(with: two, thread, held))
        Domain.release(held, of: domain, other.domain)
        leaveDomain(thread)
        other.leaveDomain(thread)
        // What other threads deliver is waited for when no gate is owned.
        if publications.0 == .entered { sendEnqueued(.entered, one, thread) }
        if publications.1 == .entered { other.sendEnqueued(.entered, two, thread) }
        if publications.0 == .added { sendEnqueued(.added, one, thread, mayWait: mayWait) }
        if publications.1 == .added { other.sendEnqueued(.added, two, thread, mayWait: mayWait) }
        withExtendedLifetime(former) {}
    }

    /// Does not retain the domain for the call, as this node does.
    @_alwaysEmitIntoClient @inline(__always)
    func leaveDomain(_ thread: UInt) { Unmanaged.passUnretained(domain)._withUnsafeGuaranteedRef { $0.leave(thread) } }

    /// Ends that body, and changes nothing.
    @_alwaysEmitIntoClient
    func cancelTransaction<Other>(with other: RootNode<Other>, _ thread: UInt) {
        cancelTransaction()
        other.cancelTransaction()
        domain.gate.leave(thread)
        other.domain.gate.leave(thread)
    }

    /// Only for the owner of the gate.
    @_alwaysEmitIntoClient @inline(__always)
    func endTransactionBody(_ held: borrowing HeldLock) {
        accessor.store(0)
        markOwnBody(false, held)
    }

    /// Only for the owner of the gate. Stages what a body has made of the value.
    @_alwaysEmitIntoClient
    func endTransaction(with new: Value, _ held: borrowing HeldLock) {
        endTransactionBody(held)
        stage(new, held)
    }
}
