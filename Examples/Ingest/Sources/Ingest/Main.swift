import ArgumentParser
import IngestKit

/// `swift run Ingest`: takes measurements at http://127.0.0.1:8080/measurements.
///
/// The code is in IngestKit, so that tests can call it.
@main
enum Main {
    static func main() async { await IngestCommand.main() }
}
