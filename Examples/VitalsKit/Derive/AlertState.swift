/// When to raise an alert, and when to clear it again.
///
/// Between the two levels nothing changes, so that a value which trembles around one of them does not raise and clear
/// the alert over and over: hysteresis.
struct AlertRule: Sendable, Equatable {
    var name: String
    var raiseAt: Double
    var clearBelow: Double
}

extension AlertRule {
    static let cpu = AlertRule(name: "cpu", raiseAt: 0.85, clearBelow: 0.70)
    static let memory = AlertRule(name: "memory", raiseAt: 0.90, clearBelow: 0.85)
    /// The load of one core.
    static let load = AlertRule(name: "load", raiseAt: 2.0, clearBelow: 1.5)
    static let disk = AlertRule(name: "disk", raiseAt: 0.95, clearBelow: 0.80)
}

/// Whether an alert is raised, and by what.
struct AlertState: Sendable, Equatable {
    var rule: AlertRule
    var isRaised = false
    /// Whether it was the other way round before this level.
    var hasChanged = false
    var level = 0.0
    var time = Duration.zero

    init(_ rule: AlertRule) { self.rule = rule }

    /// The state after the level was measured at this time.
    func after(_ level: Double, at time: Duration) -> AlertState {
        var next = self
        next.isRaised = level >= (isRaised ? rule.clearBelow : rule.raiseAt)
        next.hasChanged = next.isRaised != isRaised
        next.level = level
        next.time = time
        return next
    }
}
