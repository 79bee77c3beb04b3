// SPDX-License-Identifier: MIT
// The process that the tool runs in: streams, environment, user. Independent of commands.

import ObserveCore

struct ToolProcess {
    let streams: StandardStreams
    let environment: @Sendable (String) -> String?
    let uid: UInt32
    /// Whether the process runs the tool alone, so that it may handle signals. False in a test.
    var isWholeProcess = false
    var versionLine = ObserveCore.versionLine(commit: "")

    /// - Parameter option: the path that the user gave.
    func socketPath(_ option: String?) throws(SocketError) -> String {
        try SocketPath.resolve(option: option, environment: environment, uid: uid)
    }

    /// Writes a line about the run to standard error.
    func report(_ line: String) { streams.report("observectl: \(line.printable)") }
}
