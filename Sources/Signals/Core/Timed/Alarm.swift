/// At most one action that a scheduler has yet to run: a part of a state that its owner locks.
///
/// Schedulers are called outside locks. So an action may run, or be no longer wanted, before its owner knows what
/// cancels it. Hence each setting has a number. The owner calls ``set()`` under its lock, gives the scheduler an action
/// outside it, and calls ``keep(_:for:)`` under the lock again. What the methods return must be disposed of, or
/// released, outside the lock.
@frozen @usableFromInline
package struct Alarm {
    @usableFromInline var settings: UInt = 0
    /// The number of the setting that counts. 0 if there is none.
    @usableFromInline var current: UInt = 0
    /// What cancels the action, once the scheduler has returned it.
    @usableFromInline var action: (any Disposable)?

    @inlinable
    package init() {}

    @inlinable
    package var isSet: Bool { current != 0 }

    /// Whether a setting still counts.
    @inlinable
    package func isSet(as number: UInt) -> Bool { current == number && number != 0 }

    /// Sets the alarm, which must not be set, and returns the number of the setting.
    @inlinable
    package mutating func set() -> UInt {
        settings &+= 1
        current = settings
        return settings
    }

    /// Stores what cancels the action of a setting. Returns it instead if the setting no longer counts.
    @inlinable
    package mutating func keep(_ action: (any Disposable)?, for number: UInt) -> (any Disposable)? {
        guard isSet(as: number) else { return action }
        self.action = action
        return nil
    }

    /// Makes the current setting count no longer. Returns what cancels its action, if that is known.
    @inlinable
    package mutating func clear() -> (any Disposable)? {
        current = 0
        return action.take()
    }
}
