import HotSignals
import TestSupport
import Testing

@Suite("HookSwitch")
struct HookSwitchTests {
    @Test("knows whether it has been on, however often it is switched off")
    func states() {
        let hook = HookSwitch()
        #expect(!hook.isOn && !hook.hasBeenOn)
        hook.set(false)
        #expect(!hook.isOn && !hook.hasBeenOn)
        for _ in 0..<2 {
            hook.set(true)
            #expect(hook.isOn && hook.hasBeenOn)
            hook.set(false)
            #expect(!hook.isOn && hook.hasBeenOn)
        }
        hook.set(false)
        #expect(!hook.isOn && hook.hasBeenOn)
    }
}
