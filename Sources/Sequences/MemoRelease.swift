import HotSignals

/// Releases chains of memos on a stack of bounded depth.
///
/// Releasing one memo may release the next, a million times. Memos are connected in too many ways, including through
/// the user's closures, to walk them as a list. So releases nest up to a maximum depth, and deeper ones are postponed
/// until the outermost release has finished. They are done when that one returns, on the same thread.
final class MemoRelease {
    private static let ofThread = ThreadLocal<MemoRelease>()
    private static let maximumDepth = 32

    private var depth = 0
    private var postponed: [AnyObject] = []

    private final class Box<Content> {
        let content: Content

        init(_ content: Content) { self.content = content }
    }

    /// Sets `content` to `nil`, and releases its previous value now or after the releases in progress.
    static func release<Content>(_ content: inout Content?) {
        let release =
            ofThread.value
            ?? {
                let first = MemoRelease()
                ofThread.value = first
                return first
            }()
        guard release.depth < maximumDepth else {
            release.postponed.append(Box(content))
            content = nil
            return
        }
        // The optimizer may release a value early if it is no longer used, without regard to the depth that the release
        // reads.
        withExtendedLifetime(content) { release.depth += 1 }
        content = nil
        if release.depth == 1 {
            // The array is not being changed while an element is released, which may postpone more releases.
            while release.postponed.popLast() != nil {}
        }
        release.depth -= 1
    }
}
