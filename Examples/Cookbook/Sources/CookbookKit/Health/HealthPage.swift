import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
package import ReactiveSignals

/// All checks of a process, as one property and as a page.
package struct HealthPage: Sendable {
    /// The current report. It never combines an old status with a new one.
    package let report: Property<HealthReport>
    /// A check can be a `MutableProperty`, which a derived property does not retain. So the page does.
    private let checks: [HealthCheck]

    /// - Parameter checks: Their names differ.
    package init(_ checks: [HealthCheck]) {
        self.checks = checks
        let names = checks.map(\.name)
        let statuses = Property<HealthStatus>.combineLatest(checks.map(\.status))
        report = statuses.map { statuses in
            HealthReport(checks: zip(names, statuses).map { (name: $0, status: $1) })
        }
    }

    /// Reads the property. No check runs for a request, so that requests cannot overload what the checks call.
    package func response(to request: Request) throws -> Response {
        let report = report.value
        let wantsText = request.headers[.accept]?.contains("text/plain") ?? false
        let body = wantsText ? ByteBuffer(string: report.text) : ByteBuffer(bytes: try report.json())
        return Response(
            // Load balancers look only at the status.
            status: report.isHealthy ? .ok : .serviceUnavailable,
            headers: [
                .contentType: wantsText ? "text/plain; charset=utf-8" : "application/json", .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: body))
    }
}
