// SPDX-License-Identifier: MIT
// Hands the process's arguments and streams to the tool, and ends as it says. Knows no command.

import ObserveCore

StandardStreams.fillGaps()
let tool = CommandLineTool(
    streams: .ofProcess,
    environment: Platform.environment,
    uid: Platform.uid,
    isWholeProcess: true
)
switch tool.run(CurrentProcess.arguments) {
case .status(let status): CurrentProcess.exit(status.rawValue)
case .signal(let number): CurrentProcess.die(by: number)
}
