// SwiftPM builds the products that a target depends on, and a target needs a source file.
