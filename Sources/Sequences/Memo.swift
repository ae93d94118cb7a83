public import HotSignals

/// A value that is computed once, on first access, by the thread that accesses it first. Other threads wait for it.
///
/// The computation is divided into steps. A step that needs another memo does not call it but returns it, and the
/// evaluation, a loop with a stack of its own, evaluates that memo first. So a chain of memos of any length needs no
/// deep stack.
@_fixed_layout @usableFromInline
class Memo<Value: Sendable>: AnyMemo, @unchecked Sendable {
    // Sendable: see `AnyMemo`. `nil` only during the evaluation, in a subclass that has no step yet, and in `deinit`.
    @exclusivity(unchecked) @usableFromInline final var step: MemoStep<Value>?
    @usableFromInline let owner = Owner(of: "the steps of a memo")

    /// Creates a memo whose value a subclass computes.
    @inlinable
    init(perform: @escaping @Sendable (AnyMemo, MemoRequest) -> AnyMemo?) {
        super.init(isEvaluated: false, perform: perform)
    }

    /// Creates a memo whose value is computed by a step.
    @inlinable
    init(_ step: MemoStep<Value>) {
        self.step = step
        super.init(isEvaluated: false) { unsafeDowncast($0, to: Memo.self).handle($1) }
    }

    /// Creates a memo with a known value.
    @inlinable
    init(known value: Value) {
        step = .known(value)
        super.init(isEvaluated: true) { unsafeDowncast($0, to: Memo.self).handle($1) }
    }

    // A memo may lead to any number of other memos.
    @inlinable
    deinit { _ = perform(self, .release) }

    /// Does what ``AnyMemo/perform`` says.
    @inlinable
    final func handle(_ request: MemoRequest) -> AnyMemo? {
        switch request {
        case .advance: return takeSteps()
        case .release:
            MemoRelease.release(&step)
            return nil
        }
    }

    /// Whether this is a ``MemoConcatenation``.
    @usableFromInline
    var isConcatenation: Bool { false }

    @inlinable
    final var value: Value {
        if !isEvaluated { evaluate() }
        owner.reads()
        guard case .known(let value)? = step else { preconditionFailure("an evaluated memo has a value") }
        return value
    }

    @inlinable
    final func takeSteps() -> AnyMemo? {
        owner.writes()
        while true {
            switch step {
            case .known?, nil:
                return nil
            case .run(let body)?:
                step = body()
            case .after(let memo, let body)?:
                guard memo.isEvaluated else { return memo }
                step = body()
            case .same?:
                if let memo = adopt() { return memo }
            }
        }
    }

    /// Takes over the value of the memo that has the same value, or returns that memo if it has not been evaluated.
    ///
    /// If nothing else references that memo, its remaining step is taken over instead. So in a series of any number of
    /// memos that each lead to the next, at most one waits for another.
    @inlinable
    final func adopt() -> Memo? {
        guard case .same(var memo)? = step.take() else { return nil }
        if memo.isEvaluated || !memo.isConcatenation && isKnownUniquelyReferenced(&memo) {
            step = memo.step
            return nil
        }
        step = .same(memo)
        return memo
    }
}

/// The remaining work for the value of a memo.
@frozen @usableFromInline
enum MemoStep<Value: Sendable>: Sendable {
    case known(Value)
    case run(@Sendable () -> MemoStep)
    /// Runs the closure when the memo has its value.
    case after(AnyMemo, @Sendable () -> MemoStep)
    /// Takes over the value of another memo.
    case same(Memo<Value>)

    /// Runs a closure with the value of a memo.
    @inlinable
    static func with<Other>(_ memo: Memo<Other>, _ body: @escaping @Sendable (Other) -> MemoStep) -> MemoStep {
        .after(memo) { body(memo.value) }
    }
}

/// An element of a sequence, and the rest of the sequence.
@frozen @usableFromInline
struct MemoNode<Element: Sendable>: Sendable {
    @usableFromInline let head: Memo<Element>
    @usableFromInline let tail: MemoLink<Element>

    @inlinable
    init(head: Memo<Element>, tail: MemoLink<Element>) {
        self.head = head
        self.tail = tail
    }
}

/// A position in a sequence: the node with the next element, or `nil` at the end.
@usableFromInline
typealias MemoLink<Element: Sendable> = Memo<MemoNode<Element>?>
