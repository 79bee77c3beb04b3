// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
// One library of rooms (see ARCHITECTURE.md), its lowest part as a library of its own, two programs, no dependencies.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
]

/// The commit of a clone, with a plus sign if files differ from it.
let commit: String? = Context.gitInformation.map {
    $0.currentCommit.prefix(12) + ($0.hasUncommittedChanges ? "+" : "")
}

let package = Package(
    name: "observed",
    products: [
        .library(name: "ObserveCore", targets: ["ObserveCore"]),
        .library(name: "ObserveModels", targets: ["ObserveModels"]),
        .executable(name: "observed", targets: ["observed"]),
        .executable(name: "observectl", targets: ["observectl"]),
    ],
    dependencies: [],
    targets: [
        .systemLibrary(name: "CLinux", path: "Sources/ObserveCore/Sockets/CLinux"),
        .target(
            name: "BuildCommit",
            path: "Sources/ObserveCore/Support/BuildCommit",
            cSettings: [.define("BUILD_COMMIT", to: commit ?? "")]
        ),
        // Observing Swift models, without trees, sockets and the daemon. ObserveCore has all of it too.
        .target(
            name: "ObserveModels",
            path: "Sources/ObserveCore/Observation",
            swiftSettings: settings
        ),
        .target(
            name: "ObserveCore",
            dependencies: ["CLinux", "ObserveModels"],
            exclude: ["Observation", "Sockets/CLinux", "Support/BuildCommit"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "observed",
            dependencies: ["BuildCommit", "ObserveCore"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "observectl",
            dependencies: ["BuildCommit", "ObserveCore"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ExamplePlayer",
            dependencies: ["ObserveCore"],
            path: "Tests/Example",
            exclude: ["Loop", "Remote"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ExampleLoop",
            dependencies: ["ObserveCore"],
            path: "Tests/Example/Loop",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ExampleRemote",
            dependencies: ["ObserveCore"],
            path: "Tests/Example/Remote",
            swiftSettings: settings
        ),
        .target(
            name: "TestSupport",
            dependencies: ["ObserveCore"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ObserveCoreTests",
            dependencies: ["TestSupport", "ObserveCore", "ObserveModels"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "observedTests",
            dependencies: ["TestSupport", "observed", "ObserveCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "observectlTests",
            dependencies: ["TestSupport", "observectl", "ObserveCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestSupport", "observed", "observectl", "ExampleLoop", "ExamplePlayer", "ExampleRemote",
                "ObserveCore",
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
