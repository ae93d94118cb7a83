public import ColdProducers
public import HotSignals
public import ReactiveProperties

/// Work that somebody asks for, over and over, and that can be disabled.
///
///     let logIn = Action<Credentials, Session, LogInError>(enabledIf: form.isValid) { credentials in
///         api.logIn(credentials)
///     }
///     logIn.values.observeNext { session in show(session) }
///     logIn.apply(credentials).start()
///
/// A start of what ``apply(_:)`` returns runs one unit of work. While it does so the action is disabled, and another start fails with
/// ``ActionError/disabled``; an ``ActionPolicy`` says otherwise. Of starts that race exactly as many run as there is room for.
///
/// **Order**: at the beginning ``isEnabled`` and then ``isExecuting`` tell of it, before the work begins. Each event goes to the one who
/// has started the work first; then a value goes to ``values``, and the end to ``isEnabled``, ``isExecuting``, and ``completed`` or
/// ``errors``; and then it goes to ``events``.
///
/// **Disabling**: a unit begins when `execute`, the closure that makes its work, is called. Once the call that makes
/// the condition false has returned, such as the setter of the property after `enabledIf:`, `execute` is not called:
/// not for a start on another thread that has been admitted already, and not for one that waits in a queue. These fail
/// with ``ActionError/disabled``. A unit that has begun goes on. To keep this promise,
/// - the condition is looked at once more when the unit begins, after the events that report its beginning;
/// - what disables the action waits for a call of `execute` that is in progress on another thread, and two units of an
///   action with a condition do not make their work at the same time. So `execute` should return soon, with a producer
///   that does the work when it is started. It may use the condition, and set it.
///
/// Where waiting would close a cycle of threads, in a closure that a property is computed with, and with properties
/// whose contention is ``/HotSignals/Contention/enqueue``, a setter does not wait. Then one call of `execute` that was
/// decided on before may overlap its return. The closure of an asynchronous action is called by a task that the unit
/// begins, and so possibly later.
///
/// **Threads**: a unit begins on the thread of its start, unless it has to wait, and its events come on the threads that the work
/// sends them from.
///
/// **Life**: what ``apply(_:)`` returns holds the action, also while it runs. When the action is released, its signals and properties
/// complete. It holds the property that enables it.
@_fixed_layout
public final class Action<Input: Sendable, Output: Sendable, Failure: Error>: BindingTargetProvider, Sendable {
    /// Runs one unit of work.
    @usableFromInline typealias Work = @Sendable (Input) -> SignalProducer<Output, Failure>

    /// The inputs of the signals.
    @usableFromInline
    struct Inputs: Sendable {
        @usableFromInline let values: Signal<Output, Never>.Observer
        @usableFromInline let errors: Signal<Failure, Never>.Observer
        @usableFromInline let completed: Signal<Void, Never>.Observer
        @usableFromInline let disabledErrors: Signal<Void, Never>.Observer
        @usableFromInline let events: Signal<Event<Output, Failure>, Never>.Observer
    }

    /// Sends the values of all units of work.
    public let values: Signal<Output, Never>
    /// Sends the errors of all units of work, as values.
    public let errors: Signal<Failure, Never>
    /// Sends whenever a unit of work completes.
    public let completed: Signal<Void, Never>
    /// Sends whenever a start is refused because the action is disabled, when it is started or when its turn in a queue
    /// comes.
    public let disabledErrors: Signal<Void, Never>
    /// Sends the events of all units of work, as values.
    public let events: Signal<Event<Output, Failure>, Never>
    /// Ends when the action is released.
    public let lifetime: Lifetime

    @usableFromInline let inputs: Inputs
    @usableFromInline let admission: Admission
    /// Returns what is to be run if the condition is met. Called by an owner of the condition's graph.
    @usableFromInline let prepare: @Sendable () -> Work?

    init(_ policy: ActionPolicy, condition: Property<Bool>?, prepare: @escaping @Sendable () -> Work?) {
        let values = Signal<Output, Never>.pipe()
        let errors = Signal<Failure, Never>.pipe()
        let completed = Signal<Void, Never>.pipe()
        let disabledErrors = Signal<Void, Never>.pipe()
        let events = Signal<Event<Output, Failure>, Never>.pipe()
        self.values = values.output
        self.errors = errors.output
        self.completed = completed.output
        self.disabledErrors = disabledErrors.output
        self.events = events.output
        inputs = Inputs(
            values: values.input, errors: errors.input, completed: completed.input,
            disabledErrors: disabledErrors.input, events: events.input)
        lifetime = Lifetime()
        admission = Admission(policy, condition: condition)
        self.prepare = prepare
    }

    deinit {
        lifetime.end()
        admission.end()
        // Never waits for an event that another thread is sending.
        values.core.handOverEnd(.completed)
        errors.core.handOverEnd(.completed)
        completed.core.handOverEnd(.completed)
        disabledErrors.core.handOverEnd(.completed)
        events.core.handOverEnd(.completed)
    }

    /// Whether a unit of work is in progress.
    public var isExecuting: Property<Bool> { admission.isExecuting }

    /// Whether a start would be admitted: false exactly while one would be refused.
    public var isEnabled: Property<Bool> { admission.isEnabled }

    /// A producer whose every start runs a unit of work with this input.
    ///
    /// It sends what the work does, and fails with ``ActionError/producerError(_:)`` when that fails, or with ``ActionError/disabled`` if the
    /// action is disabled when it is started. Disposing of a start interrupts the unit.
    @inlinable
    public func apply(_ input: Input) -> SignalProducer<Output, ActionError<Failure>> {
        SignalProducer(StreamName("action")) { run, sink in Execution(self, input, sink).start() }
    }

    /// Runs a unit of work for each value, and does not hold the action. Values that come while it is disabled are dropped: see
    /// ``disabledErrors``.
    public var bindingTarget: BindingTarget<Input> {
        BindingTarget(lifetime: lifetime) { [weak self] input in self?.apply(input).start() }
    }
}

extension Action where Input == Void {
    /// A producer whose every start runs a unit of work: see ``apply(_:)``.
    @inlinable
    public func apply() -> SignalProducer<Output, ActionError<Failure>> { apply(()) }
}
