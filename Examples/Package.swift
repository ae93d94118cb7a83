// swift-tools-version: 6.2
import PackageDescription

// All example programs and signals-top in one build folder, so that what they share is compiled once:
//
//   swift run --package-path Examples LiveBoard
//   swift build --package-path Examples
let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ReactiveSignals", path: ".."),
        .package(path: "../Integrations"),
        .package(path: "Cookbook"),
        .package(path: "Fetcher"),
        .package(path: "Ingest"),
        .package(path: "LiveBoard"),
    ],
    targets: [
        .target(
            name: "Examples",
            dependencies: [
                .product(name: "ConfigReload", package: "ReactiveSignals"),
                .product(name: "LineCount", package: "ReactiveSignals"),
                .product(name: "Quickstart", package: "ReactiveSignals"),
                .product(name: "Vitals", package: "ReactiveSignals"),
                .product(name: "Cookbook", package: "Cookbook"),
                .product(name: "Fetcher", package: "Fetcher"),
                .product(name: "Ingest", package: "Ingest"),
                .product(name: "LiveBoard", package: "LiveBoard"),
                .product(name: "signals-top", package: "Integrations"),
            ], path: "All")
    ]
)
