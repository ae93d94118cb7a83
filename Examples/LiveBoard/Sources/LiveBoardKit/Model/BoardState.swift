/// How many incidents there are of each status.
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

    /// What still needs somebody.
    package var unresolved: Int { open + acknowledged }
}

/// What the board shows: the sum of its events.
package struct BoardState: Equatable, Sendable {
    /// How many unresolved incidents there were from some time on.
    package struct Point: Codable, Equatable, Sendable {
        package let at: Int
        package let unresolved: Int

        package init(at: Int, unresolved: Int) {
            self.at = at
            self.unresolved = unresolved
        }
    }

    /// How many points of the chart are kept.
    package static let historyLimit = 500

    /// That of the last event.
    package private(set) var sequence = 0
    /// When the last event happened.
    package private(set) var time = 0
    /// In the order of their ids, which are the indices plus 1.
    package private(set) var incidents: [Incident] = []
    package private(set) var counts = Counts()
    /// The latest points of the chart, in order of time.
    package private(set) var history: [Point] = []

    package init() {}

    package func incident(_ id: Int) -> Incident? {
        incidents.indices.contains(id - 1) ? incidents[id - 1] : nil
    }

    /// Takes on an event, which must be the next one.
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
            // Not each time, as that would move all others each time.
            if history.count > 2 * Self.historyLimit { history.removeFirst(Self.historyLimit) }
        }
    }
}

// MARK: Decisions

extension BoardState {
    /// What posting this would change.
    package func posting(_ draft: Draft, at time: Int) throws(BoardError) -> BoardEvent {
        let valid = try draft.validated()
        return BoardEvent(
            sequence: sequence + 1, at: time, kind: .posted, from: nil,
            incident: Incident(
                id: incidents.count + 1, version: 1, title: valid.title, description: valid.description,
                severity: valid.severity, posted: Incident.Mark(by: valid.reporter, at: time)))
    }

    /// What it would change that somebody takes care of an incident.
    package func acknowledging(_ change: Change, at time: Int) throws(BoardError) -> BoardEvent {
        let (before, person) = try target(of: change)
        switch before.status {
        case .open: break
        case .acknowledged:
            throw .conflict("\(before.acknowledged?.by ?? "Somebody") has acknowledged it already.", before)
        case .resolved: throw .conflict("\(before.resolved?.by ?? "Somebody") has resolved it already.", before)
        }
        var after = before
        after.version += 1
        after.acknowledged = Incident.Mark(by: person, at: time)
        return BoardEvent(sequence: sequence + 1, at: time, kind: .acknowledged, from: before.status, incident: after)
    }

    /// What it would change that an incident is over, acknowledged or not.
    package func resolving(_ change: Change, at time: Int) throws(BoardError) -> BoardEvent {
        let (before, person) = try target(of: change)
        if let resolved = before.resolved { throw .conflict("\(resolved.by) has resolved it already.", before) }
        var after = before
        after.version += 1
        after.resolved = Incident.Mark(by: person, at: time)
        return BoardEvent(sequence: sequence + 1, at: time, kind: .resolved, from: before.status, incident: after)
    }

    private func target(of change: Change) throws(BoardError) -> (Incident, person: String) {
        let person = try change.validatedPerson()
        guard let incident = incident(change.id) else { throw .notFound(change.id) }
        if let version = change.version, version != incident.version {
            throw .conflict("It has changed since: it is at version \(incident.version), not \(version).", incident)
        }
        return (incident, person)
    }
}
