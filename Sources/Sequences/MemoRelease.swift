import HotSignals

/// Releases chains of memos on a stack of bounded depth.
///
/// Releasing one memo may release the next, a million times. Memos are connected in too many ways, including through
/// the user's closures, to walk them as a list. So releases nest up to a maximum depth, and deeper ones are postponed
/// until the outermost release has finished. They are done when that one returns, on the same thread.
@usableFromInline
final class MemoRelease {
    private static let ofThread = ThreadLocal<MemoRelease>()
    private static let maximumDepth = 32

    private var depth = 0
    private var postponed: [AnyObject] = []

    private init() {}

    @_fixed_layout @usableFromInline
    final class Box<Content> {
        @usableFromInline let content: Content

        @inlinable
        init(_ content: Content) { self.content = content }
    }

    /// Sets `content` to `nil`, and releases its previous value now or after the releases in progress.
    @inlinable
    static func release<Content>(_ content: inout Content?) {
        let release = current
        // The optimizer may release a value early if it is no longer used, without regard to the depth that the release
        // reads.
        guard withExtendedLifetime(content, { release.begin() }) else {
            release.postpone(Box(content))
            content = nil
            return
        }
        content = nil
        release.end()
    }

    @usableFromInline
    static var current: MemoRelease {
        ofThread.value ?? makeForThread()
    }

    // Not inlined, because Scripts/lsan.supp names it: the frame of an inlined function lacks its type and module.
    @inline(never)
    private static func makeForThread() -> MemoRelease {
        let release = MemoRelease()
        ofThread.value = release
        return release
    }

    /// Returns false if a release must be postponed.
    @usableFromInline
    func begin() -> Bool {
        if depth == Self.maximumDepth { return false }
        depth += 1
        return true
    }

    @usableFromInline
    func postpone(_ box: AnyObject) { postponed.append(box) }

    @usableFromInline
    func end() {
        if depth == 1 {
            // The array is not being changed while an element is released, which may postpone more releases.
            while postponed.popLast() != nil {}
        }
        depth -= 1
    }
}
