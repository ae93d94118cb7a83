/// Is notified when observers of a signal are added or removed. For a source that works only while it is observed.
///
/// The signal retains the watcher, and through it the source, as long as the signal can be observed. The watcher is a
/// ``DeferredGateRelease`` because it may be released during an event.
package final class SignalWatcher: DeferredGateRelease, @unchecked Sendable {
    // Sendable: immutable.
    package typealias Begin = @Sendable (_ subject: AnyObject) -> Void
    package typealias End = @Sendable (_ subject: AnyObject, _ gate: Gate) -> Void

    let subject: AnyObject
    let begin: Begin
    let end: End

    /// - Parameters:
    ///   - begin: Called before an observer or an operator is added, with no lock held. It may run user code.
    ///   - end: Called by the owner of the gate after an observer or operator has been removed. Not called after the
    ///     signal has ended.
    package init(_ subject: AnyObject, begin: @escaping Begin, end: @escaping End) {
        self.subject = subject
        self.begin = begin
        self.end = end
        super.init()
    }
}
