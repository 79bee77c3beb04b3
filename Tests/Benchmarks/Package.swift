// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
// Observing in a package of its own, as everybody's is: `ObserveCore` is all that it imports of ours.

import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "observed", path: "../..")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [.product(name: "ObserveCore", package: "observed")],
            path: "Sources",
            swiftSettings: [.strictMemorySafety()],
            // Its `malloc` is there for the libraries too, so that it can count.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]
        )
    ],
    swiftLanguageModes: [.v6]
)
