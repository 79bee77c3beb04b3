// SPDX-License-Identifier: MIT
// The process that the tool runs in: streams, environment, user. Independent of commands.

import ObserveCore

/// The tool's process, as far as commands need it.
struct ToolProcess {
    let streams: StandardStreams
    let environment: @Sendable (String) -> String?
    let uid: UInt32
    /// Whether the process runs the tool alone, so that it may handle signals. False in a test.
    var isWholeProcess = false
    var versionLine = ObserveCore.versionLine(commit: "")

    /// Writes a line about the run to standard error.
    func report(_ line: String) { streams.report("observectl: \(line.printable)") }
}
