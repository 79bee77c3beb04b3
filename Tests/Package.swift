// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
// What needs an optimised build: the benchmarks, and the tests whose rounds are too many for a debug build. A package of
// its own, like any user's.

import Foundation
import PackageDescription

/// The tests with a number for optimised builds and a usual one, and what they need. `swift test` in the project runs them
/// too, with the usual number.
let exhaustive = [
    "Components/OperandsTests.swift",
    "KeyPaths/ExpressionTests.swift",
    "Models/Adapting/AdaptingOracle.swift",
    "Models/Adapting/AdaptingRandomTests.swift",
    "Models/Adapting/RandomSchemas.swift",
    "Models/Adapting/TreeGraph.swift",
    "Models/Assigning/CycleTests.swift",
    "Models/Assigning/FreeingTests.swift",
    "Models/Hosting/HostingRandomTests.swift",
    "Models/Invariants",
    "Models/Oracle",
    "Models/Selections/NaiveSelection.swift",
    "Models/Selections/SelectionRandomTests.swift",
    "Models/TreeRenderingTests.swift",
    "Persistence/Dumps/DumpTests.swift",
    "Persistence/Dumps/DumpingHub.swift",
    "Persistence/Dumps/TreeShape.swift",
    "Persistence/JournaledHub.swift",
    "Persistence/Lines/LineDamage.swift",
    "Persistence/Recovery/DamageTests.swift",
    "Persistence/Recovery/HandoverTests.swift",
    "Persistence/Recovery/LineOrderTests.swift",
    "Persistence/Simulation",
    "Persistence/Snapshots/ReadViewTests.swift",
    "Persistence/Snapshots/SnapshotTests.swift",
    "Persistence/StoredValue+Description.swift",
    "Server/FastPathTests.swift",
    "Server/Requests/AccessRandomTests.swift",
    "Server/Requests/ClientsTests.swift",
    "Server/Requests/DryRunRandomTests.swift",
    "Server/Requests/ResumingRandomTests.swift",
    "Server/Requests/ResumingTests.swift",
    "Server/Requests/RevertingRandomTests.swift",
    "Server/Sessions/CatchingUp/CatchingUpEvent.swift",
    "Server/Sessions/CatchingUp/CatchingUpMirror.swift",
    "Server/Sessions/CatchingUp/CatchingUpOracle.swift",
    "Server/Sessions/CatchingUp/CatchingUpPathRecord.swift",
    "Server/Sessions/CatchingUp/CatchingUpPattern.swift",
    "Server/Sessions/CatchingUp/CatchingUpRandomTests.swift",
    "Server/Sessions/CatchingUp/CatchingUpRun+Clients.swift",
    "Server/Sessions/CatchingUp/CatchingUpRun+Writes.swift",
    "Server/Sessions/CatchingUp/CatchingUpRun.swift",
    "Server/Sessions/CatchingUp/CatchingUpTruth.swift",
    "Server/Sessions/CatchingUp/InitialEventTests.swift",
    "Server/Simulation",
    "Server/Transcripts",
    "TestSupport",
    "Types/TypedTree.swift",
    "Values/JSONScannerTests.swift",
    "Values/JSONTextTable.swift",
    "Values/ScanSupport.swift",
]

/// All other tests: the build would warn of files that are neither sources nor excluded.
let others =
    (FileManager.default.enumerator(atPath: "\(Context.packageDirectory)/ObserveCoreTests")?.allObjects ?? [])
    .compactMap { $0 as? String }
    .filter { path in
        path.hasSuffix(".swift") && !exhaustive.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

let forgotten = others.filter { path in
    let file = "\(Context.packageDirectory)/ObserveCoreTests/\(path)"
    let text = try? String(contentsOfFile: file, encoding: .utf8)
    return text?.contains(", usually: ") ?? true
}
precondition(forgotten.isEmpty, "These have more rounds for an optimised build: \(forgotten). List them here")

let products: [Target.Dependency] = [
    .product(name: "ObserveCore", package: "observed"), .product(name: "ObserveModels", package: "observed"),
]

let package = Package(
    name: "Optimised",
    dependencies: [.package(name: "observed", path: "..")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: products,
            path: "Benchmarks/Sources",
            swiftSettings: [.strictMemorySafety()],
            // Exports its `malloc` to the libraries too, so that it counts their allocations.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]
        ),
        .testTarget(
            name: "ExhaustiveTests",
            dependencies: products,
            path: "ObserveCoreTests",
            exclude: others,
            swiftSettings: [
                .define("EXHAUSTIVE"),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
