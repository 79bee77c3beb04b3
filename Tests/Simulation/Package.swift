// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
// The simulation of crashes without the tests around it: optimised, it looks at a thousand times as many.

import PackageDescription

let package = Package(
    name: "Simulation",
    dependencies: [.package(name: "observed", path: "../..")],
    targets: [
        .executableTarget(
            name: "Simulation",
            dependencies: [.product(name: "ObserveCore", package: "observed")],
            path: "Sources",
            swiftSettings: [.strictMemorySafety()]
        )
    ],
    swiftLanguageModes: [.v6]
)
