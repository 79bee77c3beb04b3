// SPDX-License-Identifier: MIT
// The home of a new user, for `observectl init` and `observectl doctor`. Independent of what they find.

import Glibc
import ObserveCore
import Testing

/// The folders of a new user, and the programs on the `$PATH`.
struct Home {
    let directory: TemporaryDirectory
    let environment: [String: String]

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["run", "bin", "work"] { unsafe mkdir(directory.path(name), 0o700) }
        environment = [
            "HOME": directory.path("home"),
            "XDG_RUNTIME_DIR": directory.path("run"),
            "XDG_CONFIG_HOME": directory.path("config"),
            "XDG_STATE_HOME": directory.path("state"),
            "PATH": "\(directory.path("bin")):\(BuiltProducts.folder):\(variable("PATH") ?? "")",
            "EDITOR": "sed -i s/modles/models/",
        ]
    }

    /// Runs a line of a shell.
    func run(_ line: String) throws -> Finished {
        try ChildProcess.run(
            "sh",
            ["-c", "cd '\(directory.path("work"))'; \(line)"],
            environment: environment
        )
    }

    /// Starts the daemon, and waits until it is ready.
    func start(_ arguments: [String] = [], _ other: [String: String] = [:]) throws -> ChildProcess {
        let daemon = try ChildProcess(
            BuiltProducts.observed,
            arguments,
            environment: environment.merging(other) { $1 }
        )
        try daemon.readLine(containing: "ready on ", from: .errors)
        return daemon
    }

    /// The findings of `doctor` that are not well. Its status says whether there are any.
    func faults(asRoot isRoot: Bool = true) throws -> [Value] {
        // Without capabilities, files have permissions for root, too.
        let prefix = isRoot || !OtherUser.isPossible ? "" : "setpriv --bounding-set=-all "
        let doctor = try run("\(prefix)observectl doctor")
        let faults = try doctor.output.split(separator: "\n").map { try Value(json: String($0)) }
            .filter { $0["well"] != .bool(true) }
        #expect(doctor.status == .exited(faults.isEmpty ? 0 : 1), "\(doctor)")
        return faults
    }

    /// Makes a service manager that knows the units.
    func installUnits(service: String = "LoadState=loaded\nActiveState=inactive") throws {
        let script = """
            #!/bin/sh
            cat <<END
            Id=observed.socket
            LoadState=loaded
            ActiveState=active

            Id=observed.service
            \(service)
            END
            """
        try directory.write(script, to: "bin/systemctl")
        unsafe chmod(directory.path("bin/systemctl"), 0o700)
    }
}
