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
        var transaction = Transaction([first.root, second.root])
        let roots = (transaction.root(0, of: first.root), transaction.root(1, of: second.root))
        var (one, two) = (roots.0.stableValue, roots.1.stableValue)
        do {
            let result = try body(&one, &two)
            transaction.publish { held in
                roots.0.endTransaction(with: one, held)
                roots.1.endTransaction(with: two, held)
            }
            return result
        } catch {
            transaction.cancel()
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
        var transaction = Transaction([first.root, second.root, third.root])
        let roots = (
            transaction.root(0, of: first.root), transaction.root(1, of: second.root),
            transaction.root(2, of: third.root)
        )
        var (one, two, three) = (roots.0.stableValue, roots.1.stableValue, roots.2.stableValue)
        do {
            let result = try body(&one, &two, &three)
            transaction.publish { held in
                roots.0.endTransaction(with: one, held)
                roots.1.endTransaction(with: two, held)
                roots.2.endTransaction(with: three, held)
            }
            return result
        } catch {
            transaction.cancel()
            withExtendedLifetime((one, two, three)) {}
            throw error
        }
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
        var transaction = Transaction(properties.map { $0.root })
        let roots = properties.indices.map { transaction.root($0, of: properties[$0].root) }
        var values = roots.map { $0.stableValue }
        do {
            let result = try body(&values)
            require(
                values.count == roots.count,
                "Property.transaction: \(values.count) values for \(roots.count) properties")
            transaction.publish { held in
                for place in roots.indices { roots[place].endTransaction(with: values[place], held) }
            }
            return result
        } catch {
            transaction.cancel()
            withExtendedLifetime(values) {}
            throw error
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
        var transaction = Transaction(properties.map { $0.root } + [other.root])
        let roots = properties.indices.map { transaction.root($0, of: properties[$0].root) }
        let last = transaction.root(properties.count, of: other.root)
        var (values, value) = (roots.map { $0.stableValue }, last.stableValue)
        do {
            let result = try body(&values, &value)
            require(
                values.count == roots.count,
                "Property.transaction: \(values.count) values for \(roots.count) properties")
            transaction.publish { held in
                for place in roots.indices { roots[place].endTransaction(with: values[place], held) }
                last.endTransaction(with: value, held)
            }
            return result
        } catch {
            transaction.cancel()
            withExtendedLifetime((values, value)) {}
            throw error
        }
    }
}

/// A change of several roots: their domains are owned and their bodies run from its beginning to its end.
@usableFromInline
struct Transaction: ~Copyable {
    private let thread = ThreadIdentity.current
    /// The roots that decide on the values: those that were given, or their leaders.
    private let roots: [PropertyNode]
    private var entered = EnteredDomains()
    private let sections: Unmanaged<PureSection.Stack>?
    private let mayWait: Bool

    /// Waits for other threads' closures and bodies.
    @usableFromInline
    init(_ all: [PropertyNode]) {
        if let first = all.first { PureSection.refuseSet(of: first, thread) }
        var roots = all.map(\.decider)
        while true {
            entered.enter(setting: roots, thread)
            let current = all.map(\.decider)
            // Before that, a link that another thread ends or begins may have changed one of two.
            if roots.elementsEqual(current, by: ===) {
                Self.refuseRepetitions(roots, all)
                break
            }
            entered.leave(thread)
            roots = current
        }
        self.roots = roots
        mayWait = all.contains { $0.contention == .wait }
        for root in roots { root.beginTransaction(thread) }
        let thread = thread
        sections = roots.first.map { PureSection.begin(thread, $0, isBody: true) }
    }

    private static func refuseRepetitions(_ roots: [PropertyNode], _ all: [PropertyNode]) {
        // Usually there are two.
        if roots.count == 2, roots[0] !== roots[1] { return }
        var seen: Set<ObjectIdentifier> = []
        for place in roots.indices where !seen.insert(ObjectIdentifier(roots[place])).inserted {
            trap(
                """
                Property.transaction: a property is named twice, or is bound to another one with <~>: \
                \(all[place].nameAndPlace)
                """)
        }
    }

    /// The root that decides on the value of a given one.
    @_alwaysEmitIntoClient
    func root<Value>(_ place: Int, of root: RootNode<Value>) -> RootNode<Value> {
        unsafeDowncast(self.root(place), to: RootNode<Value>.self)
    }

    @usableFromInline
    func root(_ place: Int) -> PropertyNode { roots[place] }

    /// - Parameter stage: Ends the bodies. Called with the locks of all roots.
    @usableFromInline
    mutating func publish(_ stage: (borrowing HeldLock) -> Void) {
        let afterwards = endSection()
        // Before the locks of the roots are held, because those of their followers can come before them in the order.
        for root in roots where root.height < 0 { root.noteBodyInFollowers(false) }
        let events = Propagation.take(roots, thread, stage: stage)
        entered.leave(thread)
        events.deliver(thread, mayWait: mayWait)
        afterwards?.perform()
    }

    /// Ends the bodies, and changes nothing.
    @usableFromInline
    mutating func cancel() {
        let afterwards = endSection()
        for root in roots { root.cancelTransaction() }
        entered.leave(thread)
        afterwards?.perform()
    }

    private func endSection() -> PureSection.Afterwards? {
        guard let sections, let first = roots.first else { return nil }
        return PureSection.end(thread, sections, first)
    }
}

extension RootNode {
    /// The value, for the owner of the gate.
    @_alwaysEmitIntoClient
    var stableValue: Value { domain.withLock { value.unsafelyUnwrapped } }

    /// Only for the owner of the gate. Stages what a body has made of the value.
    @_alwaysEmitIntoClient
    func endTransaction(with new: Value, _ held: borrowing HeldLock) {
        accessor.store(0)
        markOwnBody(false, held)
        stage(new, held)
    }
}
