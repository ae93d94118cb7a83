import HotSignals
public import Observation
public import ReactiveProperties

extension PropertyProtocol {
    /// An `@Observable` object whose value is that of the property.
    ///
    /// ```swift
    /// let load = MutableProperty(0.2)
    /// let isBusy = load.map { $0 > 0.8 }.observable
    /// withObservationTracking {
    ///     print(isBusy.value)  // prints false
    /// } onChange: {
    ///     print("about to change")  // prints about to change
    /// }
    /// load.value = 0.9
    /// print(isBusy.value)  // prints true
    /// ```
    ///
    /// Use it where code expects a model of the Observation framework, such as a view or `Observations`.
    ///
    /// - Returns: A new object each time. Two objects of the same property have the same value and are observed
    ///   separately.
    /// - SeeAlso: ``MutableProperty/observable``
    public var observable: ObservableProperty<Value> { ObservableProperty(self) }
}

extension MutableProperty {
    /// An `@Observable` object whose value is that of the property, and which sets the property.
    ///
    /// ```swift
    /// let name = MutableProperty("Ada")
    /// let model = name.observable
    /// model.value = "Grace"
    /// print(name.value)  // prints Grace
    /// ```
    ///
    /// - Returns: A new object each time: see ``ReactiveProperties/PropertyProtocol/observable``.
    public var observable: ObservableMutableProperty<Value> { ObservableMutableProperty(self) }
}

/// An `@Observable` object whose value is that of a property.
///
/// Create it with ``ReactiveProperties/PropertyProtocol/observable``.
///
/// **Order**: the value is always that of the property, so ``value`` never lags. The object announces a change when
/// the property sends its event, when the new value is already visible. So a closure passed as `onChange` can read the
/// new value. The changes of a property are announced one at a time.
///
/// **Threads**: any thread can read the value. Changes are announced on the thread that sends the event of the
/// property, which is usually the one that sets it. Observation misses a change that another thread makes between
/// reading and registering: code that uses `withObservationTracking` on another thread than the one that sets the
/// property must read again after registering. `Property(observing:)` does.
///
/// For a view or another observer on the main actor, let the property change on the main actor. Then no change is
/// missed:
///
/// ```swift
/// let progress = MutableProperty(0)
/// let shown = Property(initial: progress.value, then: progress.producer.observe(on: MainScheduler())).observable
/// ```
///
/// **Lifetime**: the object retains the property, even a `MutableProperty`. The property does not retain the object. As
/// long as the object exists, it observes the property, so a derived property is computed at each change. When the
/// property ends, the object keeps its last value.
public final class ObservableProperty<Value: Sendable>: Observable, Sendable {
    private let property: any PropertyProtocol<Value>
    private let registrar = ObservationRegistrar()
    private let announcement = SerialDisposable()

    init(_ property: some PropertyProtocol<Value>) {
        self.property = property
        announcement.inner = property.signal.observeNext { [weak self] _ in
            self?.registrar.announce(in: self, \.value)
        }
    }

    deinit { announcement.dispose() }

    /// The value of the property.
    public var value: Value {
        registrar.access(self, keyPath: \.value)
        return property.value
    }
}

/// An `@Observable` object whose value is that of a mutable property, and which sets the property.
///
/// Create it with ``ReactiveProperties/MutableProperty/observable``. For order, threads and lifetime see
/// ``ObservableProperty``.
public final class ObservableMutableProperty<Value: Sendable>: Observable, Sendable {
    private let property: MutableProperty<Value>
    private let registrar = ObservationRegistrar()
    private let announcement = SerialDisposable()

    init(_ property: MutableProperty<Value>) {
        self.property = property
        announcement.inner = property.signal.observeNext { [weak self] _ in
            self?.registrar.announce(in: self, \.value)
        }
    }

    deinit { announcement.dispose() }

    /// The value of the property. Setting it sets the property, even if the value is equal.
    ///
    /// To change a part of it, such as an element of an array, use `modify` of the property. `value.append(1)` reads
    /// and sets the value in two steps, and another thread can set the property in between.
    public var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            return property.value
        }
        set { property.value = newValue }
    }
}

extension ObservationRegistrar {
    /// Announces a change that has happened.
    fileprivate func announce<Subject: Observable, Member>(in subject: Subject?, _ member: KeyPath<Subject, Member>) {
        if let subject { withMutation(of: subject, keyPath: member) {} }
    }
}
