// SPDX-License-Identifier: MIT
// The life of the daemon, from the command line to its end. Independent of connections, which the server handles.

internal import ObserveCore

/// The exit statuses of the daemon.
private enum ExitStatus {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    /// The status that a shell shows for a program that was ended by a signal.
    static func signalled(_ number: Int32) -> Int32 { 128 + number }
}

/// Executes the command line, and returns the exit status.
///
/// - Parameter arguments: The words after the program's name; nil if they are not UTF-8 text.
func run(_ arguments: [String]?, endingOn endings: [Int32], reloadingOn reload: Int32) -> Int32 {
    do {
        guard let arguments else { throw UsageError(description: "the arguments are not UTF-8 text") }
        let options = try Arguments(parsing: arguments)
        Log.shared.openStandardError(threshold: options.logLevel, name: "observed")
        switch options.command {
        case .printHelp: print(help)
        case .printVersion: print("observed \(version)")
        case .checkConfiguration(let path): _ = try ConfigurationFile.required(path).load()
        case .serve:
            // Catches signals from here on. The server handles them once it runs.
            let signals = try (endings + [reload]).map(SignalCounter.init)
            try Daemon.serve(options, watching: signals, reloadingOn: reload)
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
    /// Opens the socket and serves until a signal ends the daemon.
    static func serve(
        _ options: Arguments,
        watching signals: sending [SignalCounter],
        reloadingOn reload: Int32
    ) throws {
        let service = try Service.begin()
        let passed = try service.listener(at: options.socket)
        Platform.ignoreBrokenPipe()
        Platform.ignoreFileSizeLimit()
        Log.shared.openStandardError(threshold: options.logLevel, name: "observed", waits: false)
        let file = ConfigurationFile(option: options.configuration, environment: Platform.environment)
        let (configuration, path) = try file.load()
        Log.shared.info(path.map { "the models come from \($0)" } ?? "no configuration: the tree is empty")
        raiseDescriptorLimit(forConnections: configuration.limits.clients.maxConnections)
        let server = try Server(
            limits: configuration.limits,
            // The mode of a passed socket may admit others, so the kernel names each client.
            access: configuration.access ?? (passed == nil ? nil : AccessRules([])),
            pacing: .dedicated
        )
        try keepState(options.state, configuration.durability, of: server)
        var reloading = Reloading(file, configuration)
        try reloading.begin(server, mayLose: options.mayAdapt)
        let mode: UInt32 = configuration.access == nil ? 0o600 : 0o666
        let listener = try passed ?? UnixListener.listen(path: socketPath(options.socket), mode: mode)
        let place = listener.path
        if configuration.access != nil, !listener.admitsOthers {
            Log.shared.warning("the mode of \(place) keeps out the users that access names (SocketMode=)")
        }
        var isEnding = false
        try server.listen(on: listener, until: signals) { signal, server in
            if signal == reload {
                if !isEnding { service.reload(on: place) { reloading.reload(server) } }
            } else if isEnding {
                Log.shared.warning("asked to end a second time; ending at once")
                CurrentProcess.exit(ExitStatus.signalled(signal))
            } else {
                isEnding = true
                Log.shared.info("ending")
                service.willEnd()
            }
            return isEnding
        }
        Log.shared.info("ready on \(place)")
        service.didStart(server, on: place)
        // In the first silence, so that clients that waited for the daemon get their answers first.
        server.run(inFirstSilence: Platform.releaseStartPages)
    }

    /// Reads the state, if models persist.
    private static func keepState(
        _ option: Arguments.StateOption,
        _ durability: Durability,
        of server: Server
    )
        throws
    {
        guard let path = StateLocation.folder(option, environment: Platform.environment) else {
            return Log.shared.info("nothing persists")
        }
        let start = MonotonicTime.now
        let folder = try StateFolder.open(path)
        do throws(StateError) {
            for note in try server.keepState(in: folder, durability: durability) { Log.shared.warning(note) }
        } catch {
            throw StateFailure(description: "the state in \(path) can't be used: \(error)")
        }
        let milliseconds = start.nanoseconds(until: .now) / 1_000_000
        Log.shared.info(
            "models persist in \(path), with durability \(durability.rawValue) (read in \(milliseconds) ms)"
        )
    }

    private static func socketPath(_ option: String?) throws(SocketError) -> String {
        try SocketPath.resolve(
            option: option,
            environment: Platform.environment,
            uid: Platform.uid,
            makesFolder: true
        )
    }

    /// Each connection uses a descriptor, and the daemon itself a few.
    private static func raiseDescriptorLimit(forConnections count: Int) {
        let limit = Platform.raiseDescriptorLimit()
        if limit < count + 32 {
            Log.shared.warning("only \(limit) descriptors may be open, too few for \(count) connections")
        }
    }
}
