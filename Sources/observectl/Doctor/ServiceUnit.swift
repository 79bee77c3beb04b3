// SPDX-License-Identifier: MIT
// The daemon's units in the service manager, as `systemctl show` prints them. Independent of the daemon.

import ObserveCore

struct ServiceUnit: Equatable {
    private let members: [String: String]

    private func member(_ name: String) -> String { members[name] ?? "" }

    var name: String { member("Id") }
    var load: String { member("LoadState") }
    var active: String { member("ActiveState") }
    /// The program that it starts; nil for a socket.
    var program: String? {
        // { path=/usr/bin/observed ; argv[]=/usr/bin/observed ; … }
        let start = member("ExecStart").split(separator: " ").first { $0.hasPrefix("path=") }
        return start.map { String($0.dropFirst(5)) }
    }

    private static let properties = "Id,LoadState,ActiveState,Result,NeedDaemonReload,ExecStart"

    /// The words that ask a manager for the units.
    static func command(_ manager: [String]) -> [String] {
        manager + ["show", "--property=\(properties)", "observed.socket", "observed.service"]
    }

    /// Parses `Name=value` lines; an empty line is between two units.
    static func parse(_ output: String) -> [ServiceUnit] {
        let units = output.split(separator: "\n\n").map { lines in
            let members = lines.split(separator: "\n").compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
            }
            return ServiceUnit(members: Dictionary(members) { $1 })
        }
        return units.filter { !$0.name.isEmpty && $0.load != "not-found" }
    }

    var isActive: Bool { active == "active" }

    /// Nil if the unit is well. The manager is the words before a verb, such as `systemctl --user`.
    func fault(_ manager: String, exists: (String) -> Bool) -> Finding? {
        func wrong(_ message: String, _ verb: String) -> Finding {
            Finding(.unit, name, message, remedy: "\(manager) \(verb)")
        }
        if load != "loaded" { return wrong("its file is \(load)", "edit --full \(name)") }
        if let program, !exists(program) {
            return wrong("it starts \(program), which does not exist", "edit --full \(name)")
        }
        if member("NeedDaemonReload") == "yes" {
            return wrong("its file changed since the manager read it", "daemon-reload")
        }
        return active == "failed" ? wrong("it failed (\(member("Result")))", "restart \(name)") : nil
    }
}

extension [ServiceUnit] {
    var service: ServiceUnit? { first { $0.name == "observed.service" } }
}
