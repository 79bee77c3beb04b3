// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
// Benchmarks in their own package, like any user's: of this project it imports only `ObserveCore`, and
// `ObserveModels` where that is enough.

import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "observed", path: "../..")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "ObserveCore", package: "observed"),
                .product(name: "ObserveModels", package: "observed"),
            ],
            path: "Sources",
            swiftSettings: [.strictMemorySafety()],
            // Exports its `malloc` to the libraries too, so that it counts their allocations.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]
        )
    ],
    swiftLanguageModes: [.v6]
)
