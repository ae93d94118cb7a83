import HotSignals

/// A value that is worked out when somebody asks for it, once, by the thread that asks first; the others wait for it.
///
/// What it takes is cut into steps. A step that needs another memo does not call it but says so, and the evaluation, a
/// loop with a stack of its own, turns to that one first: a chain of memos of any length needs no deep stack.
final class Memo<Value: Sendable>: AnyMemo, @unchecked Sendable {
    // Sendable: see `AnyMemo`. Nil only in `deinit`.
    private var step: MemoStep<Value>?

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

    var value: Value {
        if !isEvaluated { evaluate() }
        guard case .known(let value)? = step else { preconditionFailure("an evaluated memo has a value") }
        return value
    }

    override func advance() -> AnyMemo? {
        while true {
            switch step {
            case .known?, nil:
                return nil
            case .run(let body)?:
                step = body()
            case .after(let memo, let body)?:
                guard memo.isEvaluated else { return memo }
                step = body()
            case .same(let memo)?:
                guard memo.isEvaluated else { return memo }
                step = memo.step
            }
        }
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
