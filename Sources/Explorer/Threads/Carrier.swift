#if Explore
/// The real thread on which an exploration runs, so that its caller notices when it is stuck.
enum Carrier {
    /// Runs `body` on a thread of its own, and waits for it.
    ///
    /// - Parameter isStuck: Asked every `seconds`. If it returns true, the thread is abandoned.
    /// - Returns: The result of `body`, or `nil` if the thread is stuck.
    static func run<Result>(
        checkingEvery seconds: Double, _ isStuck: () -> Bool, _ body: @escaping () -> Result
    ) -> Result? {
        let box = Box<Result>()
        Crew.shared.run {
            box.result = body()
            box.isDone.signal()
        }
        while !box.isDone.wait(atMost: seconds) { if isStuck() { return nil } }
        return box.result
    }

    private final class Box<Result> {
        var result: Result?
        let isDone = Baton()
    }
}
#endif
