public import ColdProducers
public import HotSignals
public import ReactiveProperties

/// Work that runs on request, and that can be disabled.
///
/// ```swift
/// let logIn = Action<Credentials, Session, LogInError>(enabledIf: form.isValid) { credentials in
///     api.logIn(credentials)
/// }
/// logIn.values.observeNext { session in show(session) }
/// logIn.apply(credentials).start()
/// ```
///
/// Each start of the producer that ``apply(_:)`` returns runs one unit of work. While a unit runs, the action is
/// disabled, and another start fails with ``ActionError/disabled``. To change that, pass an ``ActionPolicy``. If
/// several starts race, exactly as many run as the policy allows. To limit several actions together, pass that of an
/// ``ActionGroup``.
///
/// **Order**: before the work begins, ``isEnabled`` changes and then ``isExecuting``. Each event is first sent to the
/// observer of the start. Then a value is sent on ``values``, and a terminal event on ``isEnabled``, ``isExecuting``,
/// and ``completed`` or ``errors``. Last, the event is sent on ``events``.
///
/// **Disabling**: the condition is checked when a unit is started, in one step with its admission. An admitted unit
/// runs, even if the condition becomes false before it begins, for example because it depends on ``isExecuting``:
///
/// ```swift
/// let isIdle = MutableProperty(true)
/// let load = Action<Int, Int, Never>(enabledIf: isIdle) { SignalProducer(value: $0) }
/// let save = Action<Int, Int, Never>(enabledIf: isIdle) { SignalProducer(value: -$0) }
/// isIdle <~ load.isExecuting.or(save.isExecuting).negate()
/// load.apply(1).startWithResult { print($0) }  // prints success(1)
/// save.apply(2).startWithResult { print($0) }  // prints success(-2)
/// ```
///
/// A unit that has waited in a queue is checked again when its turn comes: if the condition is false then, its start
/// fails with ``ActionError/disabled``, and nothing reports it as an execution. A unit that has begun continues.
///
/// When the call that makes the condition false returns, such as the setter of the property passed as `enabledIf:`,
/// ``isExecuting`` is true if any unit has been admitted that has not ended. Once it is false, no unit begins. So to
/// stop, disable the action, then wait until it is not executing.
///
/// **Threads**: a unit begins on the thread that starts it, unless it has to wait. Its events are delivered on the
/// threads that send them.
///
/// **Draining**: ``drain()`` refuses further starts, and finishes what has been accepted. Disabling refuses what is
/// queued.
///
/// **Lifetime**: the producers that ``apply(_:)`` returns retain the action, also while they run. When the action is
/// released, its signals and properties complete. The action retains the property that enables it.
@_fixed_layout
public final class Action<Input: Sendable, Output: Sendable, Failure: Error>: BindingTargetProvider, Sendable {
    /// Runs one unit of work.
    @usableFromInline typealias Work = @Sendable (Input) -> SignalProducer<Output, Failure>

    /// The observers that send on the signals.
    @usableFromInline
    struct Inputs: Sendable {
        @usableFromInline let values: Signal<Output, Never>.Observer
        @usableFromInline let errors: Signal<Failure, Never>.Observer
        @usableFromInline let completed: Signal<Void, Never>.Observer
        @usableFromInline let disabledErrors: Signal<Void, Never>.Observer
        @usableFromInline let events: Signal<Event<Output, Failure>, Never>.Observer
        @usableFromInline let executions: Signal<SignalProducer<Output, Never>, Never>.Observer
    }

    /// Sends the values of all units.
    public let values: Signal<Output, Never>
    /// Sends the errors of all units, as values.
    public let errors: Signal<Failure, Never>
    /// Sends a value whenever a unit completes.
    public let completed: Signal<Void, Never>
    /// Sends a value whenever a start is refused because the action is disabled, either at the start or when its turn
    /// in the queue comes.
    public let disabledErrors: Signal<Void, Never>
    /// Sends the events of all units, as values.
    public let events: Signal<Event<Output, Failure>, Never>
    /// Sends a producer for each unit that begins, before its work does.
    ///
    /// ```swift
    /// let squares = Action<Int, Int, Never> { SignalProducer(value: $0 * $0) }
    /// squares.executions.observeNext { execution in
    ///     print("begins")
    ///     execution.collect().startWithNext { print("ends with", $0) }
    /// }
    /// squares.apply(3).start()
    /// // prints begins
    /// // prints ends with [9]
    /// ```
    ///
    /// Start the producer in the observer to receive all values. It stores nothing: a later start receives what the
    /// unit sends from then on, and is interrupted if the unit has ended. Starting it begins no work, and disposing of
    /// that start does not end the unit. Errors are sent on ``errors``, and complete the producer. Of the signals of
    /// the action, the producer is the last to receive an event. A unit that begins while `executions` is not observed
    /// has no such producer, and no cost.
    public let executions: Signal<SignalProducer<Output, Never>, Never>
    /// Ends when the action is released.
    public let lifetime: Lifetime

    @usableFromInline let inputs: Inputs
    @usableFromInline let admission: Admission
    @usableFromInline let taps: ActionTaps<Output, Failure>
    /// Whether there is a tap.
    @usableFromInline let isTapped: HookSwitch
    /// The name given by the user.
    let label: Locked<Label>
    /// Returns the work if the condition is met, otherwise `nil`. Called by the owner of the condition's domain: see
    /// `Admission`.
    @usableFromInline let prepare: @Sendable () -> Work?

    init(
        _ policy: ActionPolicy, condition: Property<Bool>?, madeAt location: CodeLocation,
        prepare: @escaping @Sendable () -> Work?
    ) {
        let values = Signal<Output, Never>.pipe()
        let errors = Signal<Failure, Never>.pipe()
        let completed = Signal<Void, Never>.pipe()
        let disabledErrors = Signal<Void, Never>.pipe()
        let events = Signal<Event<Output, Failure>, Never>.pipe()
        let executions = Signal<SignalProducer<Output, Never>, Never>.pipe()
        self.values = values.output
        self.errors = errors.output
        self.completed = completed.output
        self.disabledErrors = disabledErrors.output
        self.events = events.output
        self.executions = executions.output
        inputs = Inputs(
            values: values.input, errors: errors.input, completed: completed.input,
            disabledErrors: disabledErrors.input, events: events.input, executions: executions.input)
        lifetime = Lifetime()
        admission = Admission(policy, condition: condition)
        taps = ActionTaps()
        isTapped = HookSwitch()
        self.prepare = prepare
        label = Locked(Label("action", location))
        if GraphHook.isOn.isOn { GraphHook.appeared(self) }
    }

    deinit {
        if GraphHook.isOn.hasBeenOn { GraphHook.left(self) }
        lifetime.end()
        admission.end()
        // Does not wait for an event that another thread is sending.
        values.core.handOverEnd(.completed)
        errors.core.handOverEnd(.completed)
        completed.core.handOverEnd(.completed)
        disabledErrors.core.handOverEnd(.completed)
        events.core.handOverEnd(.completed)
        executions.core.handOverEnd(.completed)
    }

    /// Whether a unit is running. For a member of an ``ActionGroup`` also while one waits behind those of others.
    public var isExecuting: Property<Bool> { admission.isExecuting }

    /// Whether the next start would be admitted. `false` exactly while a start would be refused. What another member of
    /// an ``ActionGroup`` changes follows a moment later, before its work begins.
    public var isEnabled: Property<Bool> { admission.isEnabled }

    /// Returns a producer that runs one unit of work with this input per start.
    ///
    /// The producer sends the events of the work. It fails with ``ActionError/producerError(_:)`` if the work fails,
    /// and with ``ActionError/disabled`` if the action is disabled when it is started. Disposing of a start interrupts
    /// its unit.
    @_alwaysEmitIntoClient
    public func apply(_ input: Input) -> SignalProducer<Output, ActionError<Failure>> {
        SignalProducer(StreamName("action")) { start, sink in
            if self.isTapped.isOn { self.startTapped(input, sink) } else { Execution(self, input, sink).start() }
        }
    }

    /// A target that runs a unit for each value. It does not retain the action. Values that arrive while the action is
    /// disabled are dropped: see ``disabledErrors``.
    public var bindingTarget: BindingTarget<Input> {
        BindingTarget(lifetime: lifetime) { [weak self] input in self?.apply(input).start() }
    }
}

extension Action where Input == Void {
    /// Returns a producer that runs one unit of work per start: see ``apply(_:)``.
    @_alwaysEmitIntoClient
    public func apply() -> SignalProducer<Output, ActionError<Failure>> { apply(()) }
}
