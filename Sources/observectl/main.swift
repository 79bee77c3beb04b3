// SPDX-License-Identifier: MIT
// Passes the process's arguments and streams to the tool, and ends with its status.

internal import BuildCommit
import ObserveCore

StandardStreams.fillGaps()
CurrentProcess.requireProc(of: "observectl", elseExit: ExitStatus.inputOutput.rawValue)
var process = ToolProcess(streams: .ofProcess, environment: Platform.environment, uid: Platform.uid)
process.isWholeProcess = true
process.versionLine = versionLine(commit: unsafe String(cString: build_commit()))
let tool = CommandLineTool(process: process, commands: CommandTable.all)
switch tool.run(CurrentProcess.arguments) {
case .status(let status): CurrentProcess.exit(status.rawValue)
case .command(let status): CurrentProcess.exit(status)
case .signal(let number): CurrentProcess.die(by: number)
}
