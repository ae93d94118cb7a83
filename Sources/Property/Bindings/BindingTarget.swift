public import ColdProducers
public import HotSignals

/// What can stand on the left of `<~`.
public protocol BindingTargetProvider<Value>: Sendable {
    /// What the target takes.
    associatedtype Value: Sendable

    /// Where the values go.
    var bindingTarget: BindingTarget<Value> { get }
}

/// Consumes values for as long as something lives.
///
///     let label = Label()
///     let text = BindingTarget(lifetime: label.lifetime) { [weak label] in label?.show($0) }
///     text <~ status.map(\.description)
@frozen
public struct BindingTarget<Value: Sendable>: BindingTargetProvider {
    /// How long bindings to it last.
    public let lifetime: Lifetime
    /// Consumes a value: on the thread that calls it, or on the target's scheduler.
    public let action: @Sendable (Value) -> Void
    /// Has a producer consumed until it ends, or the returned disposable is disposed of.
    @usableFromInline let bind: @Sendable (SignalProducer<Value, Never>) -> any Disposable

    /// A target that consumes values on the thread that sends them.
    ///
    /// - Parameters:
    ///   - lifetime: How long bindings to it last.
    ///   - action: Consumes a value. It should not hold what the lifetime is that of.
    @inlinable
    public init(lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void) {
        self.lifetime = lifetime
        self.action = action
        bind = { source in source.take(during: lifetime).startWithNext(action) }
    }

    /// A target that consumes values on a scheduler; those that are still on their way when the lifetime or the binding ends are dropped.
    @inlinable
    public init(
        on scheduler: some Scheduler, lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void
    ) {
        self.lifetime = lifetime
        self.action = { value in
            scheduler.schedule { if !lifetime.hasEnded { action(value) } }
        }
        // What is on its way to the scheduler is dropped with the binding.
        bind = { source in source.observe(on: scheduler).take(during: lifetime).startWithNext(action) }
    }

    /// A target that sets a property of an object, which it holds weakly.
    @inlinable
    public init<Object: AnyObject & Sendable>(
        on scheduler: some Scheduler, lifetime: Lifetime, object: Object,
        keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable
    ) {
        self.init(on: scheduler, lifetime: lifetime) { [weak object] value in object?[keyPath: keyPath] = value }
    }

    /// Itself.
    @inlinable
    public var bindingTarget: BindingTarget { self }
}

/// Nothing is a target whose lifetime has ended.
extension Optional: BindingTargetProvider where Wrapped: BindingTargetProvider {
    /// The target, or one whose lifetime has ended.
    @inlinable
    public var bindingTarget: BindingTarget<Wrapped.Value> {
        self?.bindingTarget ?? BindingTarget(lifetime: .empty, action: { _ in })
    }
}
