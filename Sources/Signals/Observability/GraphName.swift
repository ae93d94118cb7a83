/// The name of a node, and where that name was given, or else where the object was made.
package struct GraphName: Sendable {
    package let text: String
    package let location: CodeLocation

    package init(_ text: String, _ location: CodeLocation? = nil) {
        self.text = text
        self.location = location ?? .unknown
    }
}
