import Foundation

/// The result of a run, for people and for programs.
package struct Summary: Sendable {
    let ledger: Ledger
    let directory: String?
    let isInterrupted: Bool
    let time: Duration

    package init(_ ledger: Ledger, directory: String?, isInterrupted: Bool, time: Duration) {
        self.ledger = ledger
        self.directory = directory
        self.isInterrupted = isInterrupted
        self.time = time
    }

    /// One line per target that was not fetched, and one for the whole run.
    package var text: String {
        let missing = ledger.transfers.compactMap { transfer -> String? in
            guard transfer.stage != .fetched else { return nil }
            return "\(outcome(transfer)): \(transfer.target.address.description.printable)"
                + (error(transfer).map { " (\($0.printable))" } ?? "")
        }
        let counts =
            "\(ledger.fetched) of \(ledger.transfers.count) fetched, "
            + "\(Format.bytes(ledger.bytes)) in \(Format.seconds(time.roundedToMilliseconds))"
        return (missing + [counts + (isInterrupted ? ", interrupted" : "")]).joined(separator: "\n") + "\n"
    }

    /// One object, on one line.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            fetched: ledger.fetched, total: ledger.transfers.count, bytes: ledger.bytes, interrupted: isInterrupted,
            milliseconds: Int(time / .milliseconds(1)),
            targets: ledger.transfers.map { transfer in
                Document.Target(
                    url: transfer.target.address.description, outcome: outcome(transfer), attempts: transfer.attempts,
                    bytes: transfer.stage == .fetched ? transfer.bytes : nil,
                    file: transfer.stage == .fetched ? directory.map { _ in transfer.target.fileName } : nil,
                    error: error(transfer))
            })
        // Strings and whole numbers can always be encoded.
        guard let data = try? encoder.encode(document) else { return "{}\n" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private struct Document: Encodable {
        let fetched: Int
        let total: Int
        let bytes: Int
        let interrupted: Bool
        let milliseconds: Int
        let targets: [Target]

        struct Target: Encodable {
            let url: String
            let outcome: String
            let attempts: Int
            let bytes: Int?
            let file: String?
            let error: String?
        }
    }

    private func outcome(_ transfer: Transfer) -> String {
        switch transfer.stage {
        case .untouched: "not started"
        case .fetched: "fetched"
        case .failed(.stopped), .requesting, .receiving, .pausing: "unfinished"
        case .failed: "failed"
        }
    }

    private func error(_ transfer: Transfer) -> String? {
        transfer.stage == .fetched ? nil : transfer.lastError?.description
    }
}

extension Duration {
    fileprivate var roundedToMilliseconds: Duration { .milliseconds(Int64(self / .milliseconds(1))) }
}
