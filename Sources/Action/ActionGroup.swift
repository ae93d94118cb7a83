import HotSignals

/// Several actions that one policy limits together: for example, one of them runs at a time.
///
/// ```swift
/// let clock = TestScheduler()
/// let document = ActionGroup(policy: .queue(waiting: 10))
/// let save = Action<String, Int, Never>(policy: .member(of: document)) { text in
///     SignalProducer.timer(after: .seconds(2), on: clock).map { _ in text.count }
/// }
/// let delete = Action<Void, Never, Never>(policy: .member(of: document)) { .empty }
/// save.values.observeNext { print("saved \($0) characters") }
/// delete.completed.observeNext { print("deleted") }
/// save.apply("draft").start()
/// delete.apply().start()
/// clock.run()
/// // prints saved 5 characters
/// // prints deleted
/// ```
///
/// The members can have any types of input, output and error. They are what several calls are to one `Bulkhead` of
/// resilience4j. To compute the `enabledIf:` of one action from ``Action/isExecuting`` of the others, as users of
/// ReactiveSwift do, or `canExecute` in ReactiveUI, can only refuse, and two starts on two threads can both be
/// admitted.
///
/// **Limits** count the units of all members, those that run and those that wait. Queued units begin in the order of
/// their starts, whichever members they belong to. With ``ActionPolicy/restart``, a start interrupts the running unit
/// of any member.
///
/// **State** is that of each member. ``Action/isEnabled`` is false while a start of this member would be refused: the
/// group is full, the member's own condition is false, or it drains. ``Action/isExecuting`` is true while a unit of
/// this member runs, or waits for its turn behind those of others. The numbers that `StreamGraph` shows are those of
/// the member. A start and the end of a unit first change the properties of their own action, then ``Action/isEnabled``
/// of the other members. The work begins afterwards.
///
/// **Conditions**, states and validated properties are those of each member. They are checked when that member is
/// started, in one step with the admission, and again when the turn of a queued unit comes.
///
/// **Draining** one member finishes its units alone, including those that wait behind units of others. The other
/// members go on. To drain all, start ``Action/draining()`` of each.
///
/// **In a unit of a member**, a start of another one is refused if the group is full. If it is queued, do not wait for
/// it there when one unit runs at a time: the unit then waits for itself and for ever, as with a lock that is acquired
/// twice.
///
/// **Lifetime**: an action retains its group, and not the other members. A queued unit retains its action, and begins
/// although nobody else does.
///
/// **Cost**: a start that takes the last place, and an end that frees one, change ``Action/isEnabled`` of each member.
public final class ActionGroup: Sendable {
    /// What happens to a start of a member while units of the group are running.
    public let policy: ActionPolicy

    let places: Admission.Places

    /// Creates a group without members. To make an action a member, pass it ``ActionPolicy/member(of:)``.
    ///
    /// - Parameter policy: What happens to a start of a member while units of the group are running. Traps if it is
    ///   that of a member of another group.
    public init(policy: ActionPolicy = .refuse) {
        require(policy.group == nil, "ActionGroup(policy:): the policy must not be that of a member of another group")
        self.policy = policy
        places = Admission.Places(policy)
    }
}
