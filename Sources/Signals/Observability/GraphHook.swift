/// What the module ReactiveDiagnostics is told of: what appears, what belongs to what, what leaves, and what waits.
///
/// All that the rest of the core knows of that module. There is no hook until that module sets one. Before it tells the
/// hook of something, the core checks ``isOn``, which costs a load and a branch.
@usableFromInline
package final class GraphHook: Sendable {
    /// What is known about an object that has appeared.
    package enum Link: Sendable {
        /// The name of a start. The first one counts.
        case name(Label?)
        /// The object is a start that belongs to the core, the start or the action at this address.
        case part(of: UInt)
        /// The object is the core that sends the events of the start at this address.
        case head(of: UInt)
    }

    private let appeared: @Sendable (UInt, CodeLocation) -> Void
    private let linked: @Sendable (UInt, CodeLocation, Link) -> Void
    private let left: @Sendable (UInt) -> Void
    private let waits: @Sendable (AnyObject, StreamWaiting.Kind) -> WaitWatch.Ending

    /// - Parameters:
    ///   - appeared: Called with the address of an object, and with the place where an observer was added.
    ///   - linked: Called with the address of an object that may have appeared before, and with the place where a start
    ///     was begun.
    ///   - left: Called with the address of an object in its `deinit`, also of one that has not appeared.
    ///   - waits: Called when something begins to wait. Returns what to call when the waiting has ended.
    package init(
        appeared: @escaping @Sendable (UInt, CodeLocation) -> Void,
        linked: @escaping @Sendable (UInt, CodeLocation, Link) -> Void, left: @escaping @Sendable (UInt) -> Void,
        waits: @escaping @Sendable (AnyObject, StreamWaiting.Kind) -> WaitWatch.Ending
    ) {
        (self.appeared, self.linked, self.left, self.waits) = (appeared, linked, left, waits)
    }

    private static let hook = HookObject<GraphHook>()

    /// Whether to tell the hook of new objects. It has been on if an object can have appeared that has not left.
    @usableFromInline package static let isOn = HookSwitch()

    /// Sets the hook, and begins or stops telling it of new objects.
    package static func set(_ hook: GraphHook, isOn: Bool) {
        self.hook.set(hook)
        self.isOn.set(isOn)
        StreamHooks.updateSwitch()
    }

    // MARK: For members

    /// Call if ``isOn``. The member must call ``left(_:)`` in its `deinit`, if ``isOn`` has been on.
    ///
    /// - Parameter location: Where an observer was added.
    @usableFromInline
    package static func appeared(_ member: any GraphMember, at location: CodeLocation = .unknown) {
        hook.object?.appeared(address(of: member), location)
    }

    /// The same for a member that is being created. Without a reference, which an initializer would retain and release
    /// even if there is no hook.
    @usableFromInline
    package static func appeared(at address: UInt) { hook.object?.appeared(address, .unknown) }

    /// Call if ``isOn``. If the member has not appeared before, it does now.
    ///
    /// - Parameter location: Where a start was begun.
    static func linked(_ member: any GraphMember, _ link: Link, at location: CodeLocation) {
        hook.object?.linked(address(of: member), location, link)
    }

    @usableFromInline
    package static func left(_ member: AnyObject) { hook.object?.left(address(of: member)) }

    /// Notes that the caller begins to wait. Call if ``isOn``.
    ///
    /// - Returns: To be called when the waiting has ended.
    static func waits(for object: AnyObject, _ kind: StreamWaiting.Kind) -> WaitWatch.Ending? {
        hook.object?.waits(object, kind)
    }

    @_alwaysEmitIntoClient @inline(__always)
    package static func address(of object: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }
}
