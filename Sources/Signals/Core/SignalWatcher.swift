/// What is told of the observers of a signal, for a source that works only while there are any.
///
/// The signal keeps it, and with it the source, for as long as somebody can observe the signal. It is a debris of the gate because it may
/// be let go of in an event.
package final class SignalWatcher: GateDebris, @unchecked Sendable {
    // Sendable: immutable.
    package typealias Begin = @Sendable (_ subject: AnyObject) -> Void
    package typealias End = @Sendable (_ subject: AnyObject, _ gate: Gate) -> Void

    let subject: AnyObject
    let begin: Begin
    let end: End

    /// - Parameters:
    ///   - begin: Called before an observer or an operator is added, with no lock held. It may call a user's code.
    ///   - end: Called when one has been removed, by the owner of the gate. Not after the end of the signal.
    package init(_ subject: AnyObject, begin: @escaping Begin, end: @escaping End) {
        self.subject = subject
        self.begin = begin
        self.end = end
        super.init()
    }
}
