// swift-tools-version: 6.2
import PackageDescription

// A package of a user, as far as the library is concerned: it sees what is public and nothing else. Its operator is
// checked with one call, under Swift Testing and under XCTest.
let package = Package(
    name: "OutsidePackage",
    platforms: [.macOS(.v15)],
    // With `swift test --traits Explore` the library runs its threads one at a time, in every order.
    traits: [.trait(name: "Explore", description: "Explores the operator with the library's explorer.")],
    dependencies: [
        .package(
            name: "ReactiveSignals", path: "../..",
            traits: [.trait(name: "Explore", condition: .when(traits: ["Explore"]))])
    ],
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
