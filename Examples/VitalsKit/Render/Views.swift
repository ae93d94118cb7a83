import ExamplesKit
import ReactiveSignals

/// The three ways to show samples, each a signal of what to write.
enum Views {
    static func plain(_ samples: Signal<Sample, VitalsError>) -> Signal<String, VitalsError> {
        samples.map { PlainLine.text($0) + "\n" }
    }

    static func json(_ samples: Signal<Sample, VitalsError>) -> Signal<String, VitalsError> {
        samples.map { JSONLine.text($0) + "\n" }
    }

    /// The dashboard: whatever happens becomes an event, the events are merged into one signal, and `scan` applies each
    /// to the screen.
    ///
    /// A new screen and a new size of the terminal both make a new frame, out of the latest of each.
    static func dashboard(
        readings: Signal<Reading, VitalsError>, signs: VitalSigns, sizes: Signal<TerminalSize, VitalsError>
    ) -> Signal<Frame, VitalsError> {
        let events = Signal.merge(
            readings.take(first: 1).map { _ in ScreenEvent.began },
            signs.samples.map(ScreenEvent.sample),
            signs.alertChanges.map(ScreenEvent.alert))
        let screens = events.scan(into: Screen()) { screen, event in screen.apply(event) }
        return Signal.combineLatest(screens, sizes.skipRepeats()).map { screen, size in
            Frame(lines: Dashboard.lines(screen, size: size), size: size)
        }
    }
}

/// What the terminal shows at one moment.
struct Frame: Sendable {
    var lines: [StyledLine]
    var size: TerminalSize
}
