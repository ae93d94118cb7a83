/// Keeps a kept node linked. Retained by everything that refers to the node.
@usableFromInline
package final class Tether: Sendable {
    private let node: PropertyNode

    @usableFromInline
    init(_ node: PropertyNode) {
        self.node = node
        node.links.wishes = 1
        node.tether = .passUnretained(self)
    }

    deinit { node.endWish(nil) }
}
