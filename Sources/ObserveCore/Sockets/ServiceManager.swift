// SPDX-License-Identifier: MIT
// Notifies the service manager, as sd_notify(3) describes. Independent of the reasons.

internal import CLinux

/// A change of the daemon's state, for the service manager.
package enum ServiceNotification: Equatable, Sendable {
    /// The daemon serves clients: it has started, or finished a reload.
    case ready
    case reloading(since: MonotonicTime)
    case stopping
    /// A sign of life.
    case watchdog
    case status(String)

    package static func text(_ notifications: [ServiceNotification]) -> String {
        notifications.map(\.text).joined(separator: "\n")
    }

    private var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time.nanoseconds / 1000)"
        case .stopping: "STOPPING=1"
        case .watchdog: "WATCHDOG=1"
        case .status(let sentence): "STATUS=\(sentence.printable)"
        }
    }
}

/// - Errors: a notification that fails is logged; the daemon continues without it.
/// - Threading: any thread; the kernel orders concurrent messages.
/// - Cost: one system call for each message. It waits a second at most for a manager with a full queue; a sign of life does not.
package final class ServiceManager: Sendable {
    private let address: String
    private let socket: FileDescriptor

    /// - Parameter address: a path, or `@` and an abstract name.
    package init(address: String) throws(ServiceFault) {
        guard address.hasPrefix("/") || address.hasPrefix("@"),
            (2...UnixSocket.pathLimitBytes).contains(address.utf8.count)
        else { throw ServiceFault(description: "$NOTIFY_SOCKET is \(address), which is not a Unix socket") }
        self.address = address
        do throws(SocketError) {
            socket = try UnixSocket.open(SOCK_DGRAM)
            try UnixSocket.limitSending(socket.number, milliseconds: 1000)
        } catch {
            throw ServiceFault(description: "\(error)")
        }
    }

    package func notify(_ notifications: ServiceNotification...) {
        let text = ServiceNotification.text(notifications)
        let isSignOfLife = notifications == [.watchdog]
        let call = Syscall.run {
            unsafe linux_unix_send(
                socket.number,
                address,
                address.utf8.count,
                text,
                text.utf8.count,
                isSignOfLife ? 1 : 0
            )
        }
        if call.hasFailed, !(isSignOfLife && call.code == EAGAIN) {
            Log.shared.warning("\(address) accepts no notification: \(SocketError.text(of: call.code))")
        }
    }
}
