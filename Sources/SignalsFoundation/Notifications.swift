public import ColdProducers
public import Foundation
import HotSignals

extension NotificationCenter {
    /// A producer of what a closure extracts from the notifications with a name.
    ///
    /// ```swift
    /// let sizes = NotificationCenter.default.notifications(named: .cacheDidShrink) { $0.userInfo?["size"] as? Int }
    /// sizes.skipNil().startWithNext { print($0) }                                           // prints 12
    /// NotificationCenter.default.post(name: .cacheDidShrink, object: nil, userInfo: ["size": 12])
    /// ```
    ///
    /// Each start adds an observer to the center. A `Notification` is not `Sendable`: its object and its dictionary
    /// belong to the code that posts it. So `transform` is called while the notification is being posted, and only its
    /// result is sent.
    ///
    /// **Termination**: never completes.
    ///
    /// **Threads**: `transform` and the observer are called on the thread that posts, before `post` returns. If several
    /// threads post at the same time, `transform` runs on all of them at the same time. Their values are sent one at a
    /// time. A notification that an observer posts is sent after the current one.
    ///
    /// **Disposal** removes the observer from the center. No notification that is posted afterwards is transformed. The
    /// producer retains the center, but a start does not. A start that is not disposed of lives as long as the center.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications, or `nil` for every name.
    ///   - object: The object that must have posted them, or `nil` for any. The producer retains it, and so does a
    ///     start until it is disposed of. If the object is not `Sendable`, have `transform` compare its
    ///     `ObjectIdentifier` instead.
    ///   - transform: Called with each notification. Do not keep the notification.
    /// - SeeAlso: ``notifications(named:object:)``
    public func notifications<Value: Sendable>(
        named name: Notification.Name?, object: (any AnyObject & Sendable)? = nil,
        _ transform: @escaping @Sendable (Notification) -> Value
    ) -> SignalProducer<Value, Never> {
        SignalProducer(StreamName("notifications")) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            // Unsafe, because the type is not `Sendable`. The center hands it out to identify the observer, on any
            // thread, and nothing else is done with it.
            nonisolated(unsafe) let token = self.addObserver(forName: name, object: object, queue: nil) {
                notification in
                if !start.isOver { core.sendNext(transform(notification)) }
            }
            // Retains the object, which the center of Linux does not.
            // Not the center, which retains the start through the observer.
            start.observeEnded { [weak self] in withExtendedLifetime(object) { self?.removeObserver(token) } }
        }
    }

    /// A producer that sends the name of each notification that is posted.
    ///
    /// Use it as a trigger, or to follow several names:
    ///
    /// ```swift
    /// NotificationCenter.default.notifications(named: .cacheDidShrink).startWithNext { name in
    ///     print(name.rawValue)  // prints cacheDidShrink
    /// }
    /// NotificationCenter.default.post(name: .cacheDidShrink, object: nil)
    /// ```
    ///
    /// It sends names, because a `Notification` is not `Sendable`. For its object or its dictionary use
    /// ``notifications(named:object:_:)``, which also describes termination, threads and disposal.
    ///
    /// On Apple systems, Foundation has an async sequence of the same name. It is chosen wherever both fit. To choose
    /// the producer, use its result as one: call a method that only producers have, or state the type.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications, or `nil` for every name.
    ///   - object: The object that must have posted them, or `nil` for any. The producer retains it.
    @_disfavoredOverload
    public func notifications(
        named name: Notification.Name?, object: (any AnyObject & Sendable)? = nil
    ) -> SignalProducer<Notification.Name, Never> {
        notifications(named: name, object: object) { $0.name }
    }
}
