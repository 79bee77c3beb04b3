// SPDX-License-Identifier: MIT
// The daemon under a service manager: the passed socket, notifications, signs of life. Independent of models.

internal import ObserveCore

/// The service manager that started the daemon. Without one, all methods have no effect.
struct Service: Sendable {
    /// The name of the daemon's socket among several passed ones (`FileDescriptorName=`).
    static let socketName = "observed"
    /// The names of what the former program of this process passes: the text of a handover, and the lock of the state's folder.
    static let handoverName = "observed-handover"
    static let lockName = "observed-lock"

    private let variables: ServiceVariables
    private let manager: ServiceManager?
    private let passed: Int32?
    private var handover: Int32?

    var lock: Int32? { variables.passed(Service.lockName) }

    /// Reads the manager's variables, and removes them from the environment.
    init() throws(ServiceFault) {
        variables = try ServiceVariables.consume()
        manager = try variables.notifySocket.map(ServiceManager.init(address:))
        passed = try variables.descriptor(named: Service.socketName)
        handover = variables.passed(Service.handoverName)
    }

    /// What the former program of this process handed over; nil after any other start.
    mutating func consumeHandover() throws -> Handover? {
        try handover.take().map { try Handover(MemoryFile.read(consuming: $0, "the handover")) }
    }

    /// The passed socket; nil if the daemon is to bind its own.
    /// - Parameter option: the path of `--socket`, which must lead to the passed socket.
    /// - Parameter file: the socket's file, if the former program of this process made it. It gets `mode`.
    func listener(at option: String?, file: FileIdentity?, mode: UInt32) throws(ServiceFault) -> UnixListener?
    {
        guard let passed else { return nil }
        let listener = try UnixListener.adopt(passed, file: file, mode: mode)
        guard let option, !listener.isAt(option) else { return listener }
        let other = "the service manager passed the socket \(listener.path)"
        throw ServiceFault(description: "--socket is \(option), but \(other)")
    }

    /// Reports that clients are served on `path`, and begins to give signs of life from the server's loop.
    func didStart(_ server: EventLoop, on path: String) {
        guard let manager else { return }
        if let microseconds = variables.watchdogMicroseconds {
            if microseconds / 2 < EventLoop.shortestBeatMicroseconds {
                let bound = "signs of life come once a millisecond at most (WatchdogSec=)"
                Log.shared.warning("$WATCHDOG_USEC is \(microseconds): \(bound)")
            }
            server.beat(everyMicroseconds: microseconds / 2) { manager.notify(.watchdog) }
        }
        manager.notify(.ready, .status("ready on \(path)"))
    }

    /// Reports the beginning and the end of a reload.
    func reload(on path: String, _ reload: () -> Bool) {
        manager?.notify(.reloading(since: .now), .status("reading the configuration"))
        let end = reload() ? "" : ", with the former configuration: see the log"
        manager?.notify(.ready, .status("ready on \(path)\(end)"))
    }

    /// Reports that another program continues in this process, and why. That program reports when it is ready.
    func willContinue(_ status: String) {
        manager?.notify(.reloading(since: .now), .status(status))
        // The next program has the full time to read its state.
        if variables.watchdogMicroseconds != nil { manager?.notify(.watchdog) }
    }

    /// Sets the manager's variables for the next program of this process.
    func prepare(passing names: [String]) { variables.set(descriptors: names) }

    func willEnd() { manager?.notify(.stopping, .status("ending")) }
}
