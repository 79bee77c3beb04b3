// SPDX-License-Identifier: MIT
// The life of the daemon, from the command line to its end. Independent of connections, which the server handles.

internal import ObserveCore

private enum ExitStatus {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    /// The status that a shell shows for a program that was ended by a signal.
    static func signalled(_ number: Int32) -> Int32 { 128 + number }
}

private enum DaemonSignals {
    static let endings = [CurrentProcess.termination, CurrentProcess.interruption]
    static let reload = CurrentProcess.hangup
    static let upgrade = CurrentProcess.userSignals[1]
    static var all: [Int32] { endings + [reload, upgrade] }
}

/// Executes the words after the program's name, nil if they are not UTF-8 text, and returns the exit status.
func run(_ arguments: [String]?, versionLine: String) -> Int32 {
    do {
        guard let arguments else { throw UsageError(description: "the arguments are not UTF-8 text") }
        let options = try Arguments(parsing: arguments)
        Log.shared.openStandardError(threshold: options.logLevel, name: "observed")
        switch options.command {
        case .printHelp: print(help)
        case .printVersion: print(versionLine)
        case .checkConfiguration(let path):
            _ = try ConfigurationFile(option: .path(path), environment: Platform.environment).load()
        case .checkState: try Daemon.checkState(options)
        case .checkUpgrade: try Daemon.checkUpgrade(options)
        case .serve:
            // Catches signals from here on. The server handles them once it runs.
            let counters = try DaemonSignals.all.map(SignalCounter.init)
            try Daemon.serve(options, words: arguments, watching: counters)
        }
        return ExitStatus.done
    } catch let error as UsageError {
        Log.shared.openStandardError(threshold: .error, name: "observed")
        Log.shared.error("\(error); see observed --help")
        return ExitStatus.usage
    } catch let error as ConfigurationFileError {
        for sentence in error.sentences { Log.shared.error(sentence) }
        return ExitStatus.failed
    } catch {
        Log.shared.error("\(error)")
        return ExitStatus.failed
    }
}

private enum Daemon {
    /// Opens the socket, or continues with the former program's, and serves until a signal ends the daemon.
    static func serve(_ options: Arguments, words: [String], watching counters: [SignalCounter]) throws {
        var service = try Service()
        let handover = try service.consumeHandover()
        Platform.ignoreBrokenPipe()
        Platform.ignoreFileSizeLimit()
        Log.shared.openStandardError(threshold: options.logLevel, name: "observed", waits: false)
        let file = ConfigurationFile(option: options.configuration, environment: Platform.environment)
        var (configuration, path) = try file.load(after: handover)
        configuration.fitDescriptorLimit()
        let mode: UInt32 = configuration.access == nil ? 0o600 : 0o666
        let passed = try service.listener(at: options.socket, file: handover?.socket, mode: mode)
        Log.shared.info(path.map { "the models come from \($0)" } ?? "no configuration: the tree is empty")
        // The mode of a passed socket may admit others, or may have before this program adopted it.
        let access = configuration.access ?? AccessRules([])
        let server = try Server(limits: configuration.limits, access: access, pacing: .dedicated)
        try server.onQueue { server in
            let end = handover?.breakage?.place
            let folder = try keepState(options, configuration.durability, on: server, service.lock, upTo: end)
            if let handover { try server.restore(from: handover) }
            var reloading = Reloading(file, configuration)
            try reloading.begin(server, mayLose: options.mayAdapt)
            func bound() throws -> UnixListener {
                let path = try SocketPath.resolve(option: options.socket, makesFolder: true)
                return try UnixListener.listen(path: path, mode: mode)
            }
            let listener = try passed ?? bound()
            let place = listener.path
            if configuration.access != nil, !listener.admitsOthers {
                Log.shared.warning("the mode of \(place) keeps out the users that access names (SocketMode=)")
            }
            let upgrading = Upgrading(words, service)
            var isEnding = false
            try server.listen(on: listener)
            try server.watch(counters) { signal, server in
                if signal == DaemonSignals.reload {
                    // The next program reads the file, and clients know the last revision of this one.
                    if isEnding || upgrading.isDecided { return isEnding }
                    service.reload(on: place) { reloading.reload(server) }
                } else if signal == DaemonSignals.upgrade {
                    if !isEnding { upgrading.begin(server) }
                } else if isEnding {
                    Log.shared.warning("asked to end a second time; ending at once")
                    CurrentProcess.exit(ExitStatus.signalled(signal))
                } else {
                    isEnding = true
                    upgrading.cancel(server)
                    Log.shared.info("ending")
                    service.willEnd()
                }
                return isEnding
            }
            server.allowUpgrades { if !isEnding { upgrading.begin($0) } }
            Log.shared.info(Upgrading.readiness(on: place, after: handover))
            service.didStart(server, on: place)
            // In the first silence, so that clients that waited for the daemon get their answers first.
            server.whenIdle = Platform.releaseStartPages
            server.run()
            Log.shared.finish()
            try upgrading.succeed(server, folder, unless: DaemonSignals.endings, inForce: reloading.text)
        }
    }

    /// Continues with the state and the configuration as a start would, on a copy in memory.
    static func checkState(_ options: Arguments) throws {
        try check(options) { server in
            if let path = options.state.path(standard: UserFolder.state(Platform.environment)) {
                let files = try StateFolder.copy(path, StateFile.isState)
                do throws(StateError) { try server.restore(from: files, salvages: options.salvages) } catch {
                    throw StateFailure(path, error)
                }
            }
            Log.shared.openStandardError(threshold: .error, name: "observed")
        }
    }

    /// Continues with the tree on standard input as a start would, without a socket.
    static func checkUpgrade(_ options: Arguments) throws {
        Log.shared.openStandardError(threshold: .error, name: "observed")
        let handover = try Handover(MemoryFile.readInput())
        try check(options) { try $0.restore(from: handover) }
        print(UpgradeCheck.text(version: version, handover.epoch, handover.revision))
    }

    /// Gives the configuration to a tree that `restore` has filled, without a socket.
    private static func check(_ options: Arguments, _ restore: (EventLoop) throws -> Void) throws {
        let file = ConfigurationFile(option: options.configuration, environment: Platform.environment)
        let (configuration, _) = try file.load()
        let (limits, access) = (configuration.limits, configuration.access)
        try Server(limits: limits, access: access, pacing: .dedicated).onQueue { server in
            try restore(server)
            var reloading = Reloading(file, configuration)
            try reloading.begin(server, mayLose: options.mayAdapt)
        }
    }

    /// Reads the state, if models persist, up to where the commits end that a broken disk has kept.
    /// - Parameter lock: the lock of the folder, from the former program of this process.
    private static func keepState(
        _ options: Arguments,
        _ durability: Durability,
        on server: EventLoop,
        _ lock: Int32?,
        upTo end: JournalPlace?
    ) throws -> StateFolder? {
        guard let path = options.state.path(standard: UserFolder.state(Platform.environment)) else {
            let isHomeless = options.state == .standard
            let reason = isHomeless ? ": neither HOME nor XDG_STATE_HOME names a folder" : ""
            Log.shared.info("nothing persists\(reason)")
            return nil
        }
        let start = MonotonicTime.now
        let folder = try StateFolder.open(path, holding: lock)
        do throws(StateError) {
            let disk = FileDisk(folder)
            let notes = try server.keepState(on: disk, durability, salvages: options.salvages, upTo: end)
            for note in notes { Log.shared.warning(note) }
        } catch {
            throw StateFailure(path, error)
        }
        let time = "read in \(start.nanoseconds(until: .now) / 1_000_000) ms"
        Log.shared.info("models persist in \(path), with durability \(durability.rawValue) (\(time))")
        return folder
    }
}

extension Configuration {
    /// Raises the limit of descriptors, and admits only as many connections as it allows besides the inherited ones, those of
    /// refused connections, and 32 of the daemon itself: its files, and the pipes to the next program.
    mutating func fitDescriptorLimit() {
        let limit = Platform.raiseDescriptorLimit()
        let reserved = Platform.initialDescriptors + EventLoop.mostRefused + 32
        let (most, configured) = (max(1, limit - reserved), limits.clients.maxConnections)
        guard limit > 0, configured > most else { return }
        limits.clients.maxConnections = most
        let change = "maxConnections is \(most) instead of \(configured)"
        Log.shared.warning("only \(limit) descriptors may be open: \(change)")
    }
}

struct StateFailure: Error, CustomStringConvertible { let description: String }

extension StateFailure {
    init(_ path: String, _ error: StateError) {
        let remedy = error.remedy.map { "; \($0)" } ?? ""
        self.init(description: "the state in \(path) can't be used: \(error)\(remedy)")
    }
}
