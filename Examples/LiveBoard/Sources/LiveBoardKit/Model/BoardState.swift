/// The number of incidents of each status.
package struct Counts: Codable, Equatable, Sendable {
    package var open = 0
    package var acknowledged = 0
    package var resolved = 0

    package init() {}

    package subscript(_ status: Incident.Status) -> Int {
        get {
            switch status {
            case .open: open
            case .acknowledged: acknowledged
            case .resolved: resolved
            }
        }
        set {
            switch status {
            case .open: open = newValue
            case .acknowledged: acknowledged = newValue
            case .resolved: resolved = newValue
            }
        }
    }

    /// The number of incidents that are not resolved.
    package var unresolved: Int { open + acknowledged }
}

/// The state of the board: the result of applying all its events.
package struct BoardState: Equatable, Sendable {
    /// A point of the chart: the number of unresolved incidents from `at` on.
    package struct Point: Codable, Equatable, Sendable {
        package let at: Int
        package let unresolved: Int

        package init(at: Int, unresolved: Int) {
            self.at = at
            self.unresolved = unresolved
        }
    }

    /// The number of points that a snapshot has.
    package static let historyLimit = 500

    /// The number of the last event.
    package private(set) var sequence = 0
    /// The time of the last event.
    package private(set) var time = 0
    /// Ordered by id. An id is the index plus 1.
    package private(set) var incidents: [Incident] = []
    package private(set) var counts = Counts()
    /// The latest points of the chart, ordered by time.
    package private(set) var history: [Point] = []

    package init() {}

    package func incident(_ id: Int) -> Incident? {
        incidents.indices.contains(id - 1) ? incidents[id - 1] : nil
    }

    /// Applies an event, which must be the next one.
    package mutating func apply(_ event: BoardEvent) {
        precondition(event.sequence == sequence + 1, "event \(event.sequence) does not follow \(sequence)")
        sequence = event.sequence
        time = event.at
        if let from = event.from {
            counts[from] -= 1
            incidents[event.incident.id - 1] = event.incident
        } else {
            incidents.append(event.incident)
        }
        counts[event.incident.status] += 1
        if counts.unresolved != history.last?.unresolved {
            history.append(Point(at: event.at, unresolved: counts.unresolved))
            // Removes many at once, because each removal moves the remaining points.
            if history.count > 2 * Self.historyLimit { history.removeFirst(Self.historyLimit) }
        }
    }
}

// MARK: Decisions

extension BoardState {
    /// The event for posting a draft. Does not change the state.
    package func posting(_ draft: Draft, at time: Int) throws(BoardError) -> BoardEvent {
        let valid = try draft.validated()
        return BoardEvent(
            sequence: sequence + 1, at: time, kind: .posted, from: nil,
            incident: Incident(
                id: incidents.count + 1, version: 1, title: valid.title, description: valid.description,
                severity: valid.severity, posted: Incident.Mark(by: valid.reporter, at: time)))
    }

    /// The event for acknowledging an incident. Does not change the state.
    package func acknowledging(_ change: Change, at time: Int) throws(BoardError) -> BoardEvent {
        let (before, person) = try target(of: change)
        switch before.status {
        case .open: break
        case .acknowledged:
            throw .conflict("\(before.acknowledged?.by ?? "Someone") has already acknowledged this incident.", before)
        case .resolved:
            throw .conflict("\(before.resolved?.by ?? "Someone") has already resolved this incident.", before)
        }
        var after = before
        after.version += 1
        after.acknowledged = Incident.Mark(by: person, at: time)
        return BoardEvent(sequence: sequence + 1, at: time, kind: .acknowledged, from: before.status, incident: after)
    }

    /// The event for resolving an incident, whether it is acknowledged or not. Does not change the state.
    package func resolving(_ change: Change, at time: Int) throws(BoardError) -> BoardEvent {
        let (before, person) = try target(of: change)
        if let resolved = before.resolved {
            throw .conflict("\(resolved.by) has already resolved this incident.", before)
        }
        var after = before
        after.version += 1
        after.resolved = Incident.Mark(by: person, at: time)
        return BoardEvent(sequence: sequence + 1, at: time, kind: .resolved, from: before.status, incident: after)
    }

    private func target(of change: Change) throws(BoardError) -> (Incident, person: String) {
        let person = try change.validatedPerson()
        guard let incident = incident(change.id) else { throw .notFound(change.id) }
        if let version = change.version, version != incident.version {
            throw .conflict(
                "This incident has changed in the meantime: it has version \(incident.version), not \(version).",
                incident)
        }
        return (incident, person)
    }
}
