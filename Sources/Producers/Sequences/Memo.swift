import HotSignals

/// A value that is worked out when somebody asks for it, once, by the thread that asks first; the others wait for it.
///
/// What it takes is cut into steps. A step that needs another memo does not call it but says so, and the evaluation, a
/// loop with a stack of its own, turns to that one first: a chain of memos of any length needs no deep stack.
class Memo<Value: Sendable>: AnyMemo, @unchecked Sendable {
    // Sendable: see `AnyMemo`. Nil only in `deinit`.
    final var step: MemoStep<Value>?
    private let owner = Owner(of: "the steps of a memo")

    /// A value to be worked out by a subclass.
    init() { super.init(isEvaluated: false) }

    /// A value to be worked out.
    init(_ step: MemoStep<Value>) {
        self.step = step
        super.init(isEvaluated: false)
    }

    /// A value that is there already.
    init(known value: Value) {
        step = .known(value)
        super.init(isEvaluated: true)
    }

    // What a memo holds may lead to any number of others.
    deinit { MemoRelease.release(&step) }

    /// Whether it is a ``MemoConcatenation``.
    var isConcatenation: Bool { false }

    final var value: Value {
        if !isEvaluated { evaluate() }
        owner.reads()
        guard case .known(let value)? = step else { preconditionFailure("an evaluated memo has a value") }
        return value
    }

    override func advance() -> AnyMemo? {
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

    /// Takes over the value of the memo that has the same one, or returns it if it has yet to be evaluated.
    ///
    /// If nobody else can ask for that memo, it takes over what that has to do. So in a row of any number of memos,
    /// each of which leads to the next, no more than one waits for another.
    private func adopt() -> Memo? {
        guard case .same(var memo)? = step.take() else { return nil }
        if memo.isEvaluated || !memo.isConcatenation && isKnownUniquelyReferenced(&memo) {
            step = memo.step
            return nil
        }
        step = .same(memo)
        return memo
    }
}

/// What is left to do for the value of a memo.
enum MemoStep<Value: Sendable>: Sendable {
    case known(Value)
    case run(@Sendable () -> MemoStep)
    /// Runs the closure when the memo has its value.
    case after(AnyMemo, @Sendable () -> MemoStep)
    /// Takes over the value of another memo.
    case same(Memo<Value>)

    /// Runs a closure with the value of a memo.
    static func with<Other>(_ memo: Memo<Other>, _ body: @escaping @Sendable (Other) -> MemoStep) -> MemoStep {
        .after(memo) { body(memo.value) }
    }
}

/// An element of a sequence, and where the sequence goes on.
struct MemoNode<Element: Sendable>: Sendable {
    let head: Memo<Element>
    let tail: MemoLink<Element>
}

/// Whether there is another element: the node, or nil at the end.
typealias MemoLink<Element: Sendable> = Memo<MemoNode<Element>?>
