import HotSignals

extension StreamGraph {
    /// A line of the program.
    public struct Place: Codable, Sendable, Hashable, CustomStringConvertible {
        /// The file, such as `App/Orders.swift`.
        public let fileID: String
        /// The line, or 65,535 if it is beyond that.
        public let line: UInt

        package init(fileID: String, line: UInt) {
            self.fileID = fileID
            self.line = line
        }

        /// `nil` if the place is not known or in the library itself.
        init?(_ location: CodeLocation) {
            guard let (fileID, line) = location.place else { return nil }
            (self.fileID, self.line) = (fileID, line)
        }

        /// The place as compilers print it: `App/Orders.swift:12`.
        public var description: String { "\(fileID):\(line)" }
    }

    /// A line of the program that has added observers to a stream.
    public struct ObserverPlace: Codable, Sendable, Hashable, CustomStringConvertible {
        /// The line.
        public let place: Place
        /// How many of its observers have not been removed.
        public let count: Int

        package init(place: Place, count: Int) {
            self.place = place
            self.count = count
        }

        /// The place, and the number if it is not 1: `App/Orders.swift:12 (3)`.
        public var description: String { count == 1 ? "\(place)" : "\(place) (\(count))" }
    }
}
