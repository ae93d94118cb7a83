// swift-tools-version: 6.2
import PackageDescription

// A package of a user, as far as the library is concerned: it sees what is public and nothing else. Its operator is checked with one
// call, under Swift Testing and under XCTest.
let package = Package(
    name: "OutsidePackage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ReactiveSignals", path: "../..")],
    targets: [
        .target(
            name: "RunningMean", dependencies: [.product(name: "ReactiveSignals", package: "ReactiveSignals")],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "RunningMeanTests",
            dependencies: [
                "RunningMean", .product(name: "ReactiveSignalsTesting", package: "ReactiveSignals"),
            ], swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "RunningMeanXCTests",
            dependencies: [
                "RunningMean", .product(name: "ReactiveSignalsTesting", package: "ReactiveSignals"),
            ], swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
