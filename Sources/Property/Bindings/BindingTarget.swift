public import ColdProducers
public import HotSignals

/// A type that can be on the left side of `<~`.
public protocol BindingTargetProvider<Value>: Sendable {
    /// The type of the values it consumes.
    associatedtype Value: Sendable

    /// The target that consumes the values.
    var bindingTarget: BindingTarget<Value> { get }
}

/// Consumes values during a lifetime.
///
/// ```swift
/// let label = Label()
/// let text = BindingTarget(lifetime: label.lifetime) { [weak label] in label?.show($0) }
/// text <~ status.map(\.description)
/// ```
@frozen
public struct BindingTarget<Value: Sendable>: BindingTargetProvider {
    /// How long bindings to the target last.
    public let lifetime: Lifetime
    /// Consumes a value, on the thread that calls it or on the scheduler of the target.
    public let action: @Sendable (Value) -> Void
    /// Consumes a producer until that ends or the returned disposable is disposed of.
    @usableFromInline let bind: @Sendable (SignalProducer<Value, Never>) -> any Disposable

    /// Creates a target that consumes values on the thread that sends them.
    ///
    /// - Parameters:
    ///   - lifetime: How long bindings to the target last.
    ///   - action: Consumes a value. It should not retain the object that the lifetime belongs to.
    @_alwaysEmitIntoClient
    public init(lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void) {
        self.lifetime = lifetime
        self.action = action
        bind = { source in source.disposed(with: lifetime).startWithNext(action) }
    }

    /// Creates a target that consumes values on a scheduler. Values that are still queued when the lifetime or the
    /// binding ends are dropped.
    @_alwaysEmitIntoClient
    public init(
        on scheduler: some Scheduler, lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void
    ) {
        self.lifetime = lifetime
        self.action = { value in
            _ = scheduler.schedule { if !lifetime.hasEnded { action(value) } }
        }
        // Values on their way to the scheduler are dropped when the binding ends.
        bind = { source in source.observe(on: scheduler).take(during: lifetime).startWithNext(action) }
    }

    /// Creates a target that sets a property of an object, which it references weakly.
    @_alwaysEmitIntoClient
    public init<Object: AnyObject & Sendable>(
        on scheduler: some Scheduler, lifetime: Lifetime, object: Object,
        keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable
    ) {
        self.init(on: scheduler, lifetime: lifetime) { [weak object] value in object?[keyPath: keyPath] = value }
    }

    /// Creates a target that sets a property of an object, which it references weakly, on the thread that sends.
    @_alwaysEmitIntoClient
    public init<Object: AnyObject & Sendable>(
        lifetime: Lifetime, object: Object, keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable
    ) {
        self.init(lifetime: lifetime) { [weak object] value in object?[keyPath: keyPath] = value }
    }

    /// Creates a target that decides itself how long a binding lasts.
    @usableFromInline
    package init(
        action: @escaping @Sendable (Value) -> Void,
        bind: @escaping @Sendable (SignalProducer<Value, Never>) -> any Disposable
    ) {
        lifetime = Lifetime()
        self.action = action
        self.bind = bind
    }

    /// The target itself.
    @_alwaysEmitIntoClient
    public var bindingTarget: BindingTarget { self }
}

extension SignalProducer {
    /// Like `take(during:)` for a consumer of values alone, who does not see how a start ends: it has no core.
    @_alwaysEmitIntoClient
    func disposed(with lifetime: Lifetime) -> SignalProducer {
        SignalProducer(streamName, contention: contention) { start, downstream in
            // The operator returns a handle.
            // swift-format-ignore: NoAssignmentInExpressions
            guard let removal = lifetime += start else { return downstream.end(.interrupted) }
            start.addCleanup { removal.dispose() }
            beginWork(of: start, into: downstream)
        }
    }
}

/// `nil` acts as a target whose lifetime has ended.
extension Optional: BindingTargetProvider where Wrapped: BindingTargetProvider {
    /// The target, or one whose lifetime has ended.
    @_alwaysEmitIntoClient
    public var bindingTarget: BindingTarget<Wrapped.Value> {
        self?.bindingTarget ?? BindingTarget(lifetime: .empty, action: { _ in })
    }
}
