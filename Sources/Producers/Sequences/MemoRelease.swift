import HotSignals

/// Releases chains of memos on a stack of bounded depth.
///
/// Letting go of one memo may let go of the next, a million times. Memos hang together in too many ways, closures of users
/// among them, to walk a list; so releases nest up to a depth, and what is deeper waits until the outermost is through.
/// It has gone when that one returns, on the same thread.
final class MemoRelease {
    private static let ofThread = ThreadLocal<MemoRelease>()
    private static let maximumDepth = 32

    private var depth = 0
    private var postponed: [AnyObject] = []

    private final class Box<Content> {
        let content: Content

        init(_ content: Content) { self.content = content }
    }

    /// Sets `content` to nil, and releases what it held now or after the releases under way.
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
        // The optimizer may release early what is not used any more, and takes no account of a count that the release reads.
        withExtendedLifetime(content) { release.depth += 1 }
        content = nil
        if release.depth == 1 {
            // The array is not being changed while an element goes, which may postpone more.
            while release.postponed.popLast() != nil {}
        }
        release.depth -= 1
    }
}
