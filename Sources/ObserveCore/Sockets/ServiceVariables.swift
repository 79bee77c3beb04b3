// SPDX-License-Identifier: MIT
// The variables by which a service manager starts a daemon: sd_notify(3), sd_listen_fds(3). Independent of sockets.

internal import CLinux

/// A variable or descriptor of the service manager that the daemon can't use, as one sentence.
package struct ServiceFault: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// The wishes of the service manager for one process.
package struct ServiceVariables: Equatable, Sendable {
    /// The name of the socket for notifications: a path, or `@` and an abstract name.
    package let notifySocket: String?
    /// The time without a sign of life after which the manager ends the process.
    package let watchdogMicroseconds: UInt64?
    /// The names of the passed descriptors, of which the first is ``firstDescriptor``. A name may be empty.
    package let descriptorNames: [String]

    package static let firstDescriptor: Int32 = 3
    private static let descriptorLimit: UInt64 = 1024
    private static let names = [
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_PIDFDID", "LISTEN_FDS",
        "LISTEN_FDNAMES",
    ]

    /// Parses the variables. Those for another process have no effect, and empty ones count as unset.
    package init(environment: (String) -> String?, pid: Int32) throws(ServiceFault) {
        func text(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        func number(_ name: String) throws(ServiceFault) -> UInt64? {
            guard let text = text(name) else { return nil }
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text)
            else { throw ServiceFault(description: "$\(name) is \(text), which is not a number") }
            return number
        }
        notifySocket = text("NOTIFY_SOCKET")
        let isWatched = try number("WATCHDOG_PID").map { $0 == UInt64(pid) } ?? true
        let watchdog = isWatched ? try number("WATCHDOG_USEC") : nil
        watchdogMicroseconds = watchdog == 0 ? nil : watchdog
        guard try number("LISTEN_PID") == UInt64(pid), let count = try number("LISTEN_FDS") else {
            descriptorNames = []
            return
        }
        guard count <= ServiceVariables.descriptorLimit else {
            throw ServiceFault(
                description: "$LISTEN_FDS is \(count), more than \(ServiceVariables.descriptorLimit)"
            )
        }
        let names = (text("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        descriptorNames = (0..<Int(count)).map { $0 < names.count ? String(names[$0]) : "" }
    }

    /// Reads the variables of this process and removes them, so that child processes do not inherit them.
    package static func consume() throws(ServiceFault) -> ServiceVariables {
        defer { for name in names { _ = unsafe unsetenv(name) } }
        return try ServiceVariables(environment: Platform.environment, pid: Platform.pid)
    }

    /// Sets the variables for the next program of this process, with these descriptors.
    package func set(descriptors: [String]) {
        func set(_ name: String, _ value: String) { _ = unsafe setenv(name, value, 1) }
        if let notifySocket { set("NOTIFY_SOCKET", notifySocket) }
        if let watchdogMicroseconds {
            set("WATCHDOG_PID", String(Platform.pid))
            set("WATCHDOG_USEC", String(watchdogMicroseconds))
        }
        set("LISTEN_PID", String(Platform.pid))
        set("LISTEN_FDS", String(descriptors.count))
        set("LISTEN_FDNAMES", descriptors.joined(separator: ":"))
    }

    /// The descriptor with that name, if it was passed.
    package func passed(_ name: String) -> Int32? {
        descriptorNames.firstIndex(of: name).map { ServiceVariables.firstDescriptor + Int32($0) }
    }

    /// The descriptor to listen on: the only one, or the one with that name.
    package func descriptor(named name: String) throws(ServiceFault) -> Int32? {
        if descriptorNames.isEmpty { return nil }
        if descriptorNames.count == 1 { return ServiceVariables.firstDescriptor }
        let places = descriptorNames.indices.filter { descriptorNames[$0] == name }
        guard places.count == 1 else {
            let passed = "the service manager passed \(descriptorNames.count) sockets"
            throw ServiceFault(description: "\(passed), \(places.count) of them with the name \(name)")
        }
        return ServiceVariables.firstDescriptor + Int32(places[0])
    }
}
