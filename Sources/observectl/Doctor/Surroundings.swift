// SPDX-License-Identifier: MIT
// The places that a daemon of this user has: its socket, files, program and service manager. Changes none of them.

import ObserveCore

struct Surroundings {
    let process: ToolProcess
    let socket: String
    /// The configuration's file; nil without a home.
    let configuration: String?
    /// The state's folder; nil without a home.
    let state: String?
    /// The folder of this program.
    let folder: String

    init(_ process: ToolProcess, socket option: String?) throws(SocketError) {
        self.process = process
        // The checks of permissions name a folder at fault.
        do throws(SocketError) {
            socket = try process.socketPath(option)
        } catch .folderOfAnotherUser(let path, _), .folderWritableByOthers(let path, _), .notAFolder(let path)
        { socket = "\(path)/observed.sock" }
        configuration = UserFolder.configuration(process.environment)
        state = UserFolder.state(process.environment)
        folder = Path.folder(of: ProgramFile.path)
    }

    /// The words before a verb of the service manager that may hold the socket; nil if none does.
    var manager: [String]? {
        if socket == "/run/observed/observed.sock" { return ["systemctl"] }
        let isUser = process.environment("XDG_RUNTIME_DIR").map { "\($0)/observed.sock" } == socket
        return isUser ? ["systemctl", "--user"] : nil
    }

    /// The daemon's units; nil if no service manager answers.
    func units() -> [ServiceUnit]? {
        guard let manager, let program = found(manager[0]),
            let run = Surroundings.run(ServiceUnit.command([program] + manager.dropFirst())), run.status == 0
        else { return nil }
        return ServiceUnit.parse(run.output)
    }

    /// Whether a variable names the socket.
    var isNamed: Bool { socket == process.environment("OBSERVED_SOCKET") }

    /// Whether a daemon listens there without options.
    var isDefault: Bool { (try? Surroundings(process, socket: nil).socket) == socket }

    func startCommand(_ units: [ServiceUnit]?) -> String {
        if let manager, units?.contains(where: { $0.name == "observed.socket" }) == true {
            return "\(manager.joined(separator: " ")) enable --now observed.socket"
        }
        return isDefault ? "observed &" : "observed --socket \(socket.quotedForShell) &"
    }

    /// The daemon's program: the one beside this program, else the one that a shell finds.
    var program: String? {
        let beside = "\(folder)/observed"
        return Surroundings.exists(beside) ? beside : found("observed")
    }

    /// The path of a program on the `$PATH`; nil if there is none.
    func found(_ name: String) -> String? {
        (process.environment("PATH") ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: Surroundings.exists)
    }

    static func status(_ path: String) -> FileStatus? { try? FileStatus.of(path, followsLinks: true) }

    static func exists(_ path: String) -> Bool { status(path) != nil }

    /// The process that listens on the socket; nil if it can't be asked, or is the service manager.
    var listener: Listener? {
        guard let end = try? UnixSocket.connect(path: socket, timeoutMilliseconds: 1000) else { return nil }
        guard let peer = try? UnixSocket.peerCredentials(end.number) else { return nil }
        let listener = Listener(pid: peer.pid)
        return listener.isManager ? nil : listener
    }

    /// The daemon that holds the lock of the state's folder; nil if none does.
    var keeper: Listener? {
        guard let state, let lock = Surroundings.status("\(state)/lock"),
            let bytes = try? Platform.readFile("/proc/locks", limitBytes: 1 << 22)
        else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            // "1: FLOCK ADVISORY WRITE PID DEVICE:INODE 0 EOF". Of some file systems, a status has another device.
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[5].hasSuffix(":\(lock.identity.inode)"),
                let pid = Int32(words[4])
            else { continue }
            let holder = Listener(pid: pid)
            if holder.isDaemon { return holder }
        }
        return nil
    }

    /// Runs a program, named by its path, to its end; nil if it can't be executed.
    static func run(_ words: [String]) -> ProgramRun? {
        let end = MonotonicTime.now.adding(milliseconds: 60_000)
        return try? ProgramRun.of(
            words,
            input: MemoryFile([], name: "no input"),
            until: end,
            stop: EventCounter()
        )
    }
}

struct Listener {
    let pid: Int32

    var isManager: Bool { file("comm").starts(with: "systemd".utf8) }

    var isStopped: Bool {
        // "PID (NAME) STATE …"; a name may have brackets.
        let text = String(decoding: file("stat"), as: UTF8.self)
        return text.split(separator: ")").last?.hasPrefix(" T ") ?? false
    }

    var isDaemon: Bool { file("comm") == "observed\n".bytes }

    /// Whether it is a daemon that reads that configuration without an option.
    func reads(_ configuration: String) -> Bool {
        let words = texts("cmdline")
        if words.contains(where: { $0 == "--config" || $0.hasPrefix("--config=") }) { return false }
        return UserFolder.configuration(environment) == configuration
    }

    /// Where a daemon listens; nil if it has a relative path, or none that is allowed.
    func socket(uid: UInt32) -> String? {
        let words = texts("cmdline")
        var option: String?
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            if word == "--socket" { option = next }
            if word.hasPrefix("--socket=") { option = String(word.dropFirst("--socket=".count)) }
        }
        let path = try? SocketPath.resolve(option: option, environment: environment, uid: uid)
        return path.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private var environment: (String) -> String? {
        let variables = texts("environ")
        return { name in
            variables.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
        }
    }

    private func texts(_ name: String) -> [String] {
        file(name).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private func file(_ name: String) -> [UInt8] {
        (try? Platform.readFile("/proc/\(pid)/\(name)", limitBytes: 1 << 22)) ?? []
    }
}
