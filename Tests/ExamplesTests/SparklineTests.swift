import TestSupport
import Testing

@testable import VitalsKit

@Suite("Sparklines and bars")
struct SparklineTests {
    @Test("shows the newest values at the right")
    func oneRow() {
        expect(Sparkline.row([0, 0.5, 1], width: 5, top: 1), is: "  .▄█")
        expect(Sparkline.row([1, 1, 0, 0.25], width: 2, top: 1), is: ".▂")
    }

    @Test("stacks eighths over several rows")
    func severalRows() {
        expect(Sparkline.rows([0, 1, 8, 9, 16], width: 5, height: 2, top: 16), is: ["   ▁█", ".▁███"])
    }

    @Test("shows a tiny value as the lowest bar")
    func tiny() {
        expect(Sparkline.row([1e-9], width: 1, top: 1), is: "▁")
    }

    @Test("stays within its bounds for any value")
    func oddValues() {
        expect(Sparkline.row([-1, 5, .nan, .infinity], width: 4, top: 1), is: ".█..")
        expect(Sparkline.row([1], width: 1, top: 0), is: ".")
        expect(Sparkline.row([], width: 3, top: 1), is: "   ")
        expect(Sparkline.rows([1], width: 0, height: 2, top: 1), is: ["", ""])
        #expect(Sparkline.rows([1], width: 3, height: 0, top: 1).isEmpty)
    }

    @Test(
        "fills a bar in proportion to its share",
        arguments: [
            (0, "····"), (0.5, "██··"), (1, "████"), (0.53125, "██▏·"), (0.999, "████"), (7, "████"), (-1, "····"),
            (Double.nan, "····"),
        ])
    func bar(_ share: Double, _ text: String) {
        expect(Sparkline.bar(share, width: 4), is: text)
        #expect(Sparkline.bar(share, width: 0).isEmpty)
    }
}
