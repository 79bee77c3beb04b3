// SPDX-License-Identifier: MIT
// Starts a real `observed` as a service manager does. Independent of its notifications.

import Glibc
import ObserveCore

/// The daemon with its own number in the manager's variables.
enum ServiceUnderTest {
    private static let script = #"export LISTEN_PID=$$ WATCHDOG_PID=$$; exec "$0" "$@""#

    static func start(
        _ arguments: [String],
        environment: [String: String] = [:],
        passing descriptors: [Int32] = []
    ) throws -> ChildProcess {
        var environment = environment
        if !descriptors.isEmpty { environment["LISTEN_FDS"] = "\(descriptors.count)" }
        return try ChildProcess(
            "sh",
            ["-c", script, BuiltProducts.observed, "--state", "none"] + arguments,
            environment: environment,
            inheriting: Inherited(descriptors: descriptors)
        )
    }
}
