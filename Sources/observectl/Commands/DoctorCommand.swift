// SPDX-License-Identifier: MIT
// `observectl doctor`: each fault, its place, and the command that mends it. Independent of the checks.

import ObserveCore

extension CommandSpec {
    static let doctor = CommandSpec(
        usage: "doctor",
        summary: "name each fault, its place, and the command that mends it",
        details: """
            It examines the socket, the service manager's unit, the configuration, the state, the versions and
            the permissions of a daemon that starts without options. It changes nothing. The status is 1 if
            something is wrong.

            In a pipe each finding is one JSON object a line. If "well" is false, "command" mends it.

            Example:
              observectl doctor
            """
    ) { (invocation) throws(CommandError) in
        let socket = invocation.arguments.options["--socket"]
        let unreachable = CommandError.unreachable
        let places = try attempt(Surroundings(invocation.process, socket: socket), or: unreachable)
        let examination = Examination(places: places, answer: invocation.answer(), units: places.units())
        let (findings, presentation) = (examination.findings, invocation.presentation)
        for finding in findings {
            if presentation.hasTables {
                for line in finding.lines(columns: presentation.columns) { try invocation.print(line.bytes) }
            } else {
                try invocation.show(finding.json)
            }
        }
        if !findings.allSatisfy(\.isWell) { throw .quiet(.status(.refused)) }
    }
}

private extension Invocation {
    /// The daemon's status. A daemon that is well answers at once.
    func answer() -> Result<RawJSON, ClientError> {
        let limit = deadline ?? .now.adding(milliseconds: 5000)
        return Result { () throws(ClientError) in
            try connect(until: limit).call("status", until: limit)
        }
    }
}
