// SPDX-License-Identifier: MIT
// Gives the configuration to the tree: at the start, and again while the daemon serves. Independent of signals.

internal import ObserveCore

/// The configuration in use, which can be reloaded.
struct Reloading {
    private let file: ConfigurationFile
    private var current: Configuration
    /// What the start has set: it stays in force.
    private let durability: Durability
    private let maxDepth: Int
    /// The roots whose kept values the log has named, each with its configured value.
    private var namedRoots: Set<[String]> = []

    init(_ file: ConfigurationFile, _ configuration: Configuration) {
        self.file = file
        current = configuration
        durability = configuration.durability
        maxDepth = configuration.limits.tree.maxDepth
    }

    /// The text of the configuration in force.
    var text: [UInt8] { current.text }

    // MARK: The start

    /// Gives the configuration to a tree with its kept state, before it is served. What does not fit is dropped or reset if it
    /// may be lost, after saving a dump.
    mutating func begin(_ server: EventLoop, mayLose: Bool) throws {
        let configuration = current
        if mayLose, server.withTree({ configuration.hasMisfits(in: $0) }) {
            // Without a state folder there is nothing to save.
            if let name = try server.saveDump() {
                Log.shared.warning("the tree as it was is saved in the state's folder, as \(name)")
            }
        }
        let isNew = server.withTree { $0.isNew }
        let result = server.withTree { configuration.adapt($0, mayLose: mayLose, atStart: true) }
        let change = "the configuration's changes can't be kept"
        do throws(DiskError) {
            if let refusal = try server.flushState() {
                // Without any state, there is nothing to serve.
                if isNew { throw refusal }
                let missing = server.withTree { configuration.missing(in: $0) }.joined(separator: ", ")
                let remedy = result.losses.isEmpty ? "send SIGHUP" : "start again with --adapt"
                let advice = "\(remedy) when the disk takes them; missing: \(missing)"
                return Log.shared.error("\(change): \(refusal); \(advice)")
            }
        } catch {
            throw StateFailure(description: "\(change): \(error)")
        }
        try report(result, at: "with the state that there is")
        warn(of: server.withTree { $0.sizeExcess })
    }

    // MARK: While the daemon serves

    /// Reads the file, gives it to the tree, and replaces limits and access rules. If the file is faulty, or the tree does not
    /// fit it, logs why, changes nothing and returns false.
    mutating func reload(_ server: EventLoop) -> Bool {
        do throws(ConfigurationFileError) {
            var (fresh, path) = try file.load()
            guard let path else {
                if let missing = file.path, !current.text.isEmpty { throw .missing(missing) }
                Log.shared.info("no configuration to read again")
                return true
            }
            fresh.fitDescriptorLimit()
            try adopt(fresh, for: server, path)
            Log.shared.info("the configuration was read again from \(path)")
            return true
        } catch {
            for sentence in error.sentences { Log.shared.error(sentence) }
            Log.shared.error("the configuration is not adopted: nothing was changed")
            return false
        }
    }

    private mutating func adopt(_ fresh: Configuration, for server: EventLoop, _ path: String)
        throws(ConfigurationFileError)
    {
        var result = Adaptation()
        // The file's defaults and templates may need its limits.
        server.adopt(fresh.limits)
        // Until the file is adopted, these are the former ones.
        defer { server.adopt(current.limits) }
        if fresh.durability != durability || fresh.limits.tree.maxDepth != maxDepth {
            Log.shared.warning("journal.durability and limits.maxDepth change with a restart only")
        }
        do throws(DiskError) {
            try server.change {
                result = fresh.adapt($0, mayLose: false, atStart: false)
            }
        } catch {
            let refusal = "the state's disk refuses changes now (\(error))"
            throw ConfigurationFileError(sentences: ["\(refusal): send SIGHUP again when it takes them"])
        }
        try report(result, at: path)
        current = fresh
        warn(of: server.withTree { $0.sizeExcess })
        server.adopt(fresh.access ?? AccessRules([]))
        // The socket keeps the permissions that it was made with.
        if fresh.access != nil, !server.admitsOthers {
            Log.shared.warning(
                server.ownsSocket
                    ? "the socket opens to other users (access) after a restart"
                    : "the socket's mode keeps out the users that access names (SocketMode=)"
            )
        }
    }

    private func warn(of excess: String?) {
        if let excess { Log.shared.warning("\(excess): writes that make it larger are refused") }
    }

    /// Logs what became of the tree. Throws its faults, at a place, if it is unchanged.
    private mutating func report(_ result: Adaptation, at place: String) throws(ConfigurationFileError) {
        guard result.isDone else {
            throw ConfigurationFileError(sentences: result.misfits + result.faults.map { "\(place): \($0)" })
        }
        for loss in result.losses { Log.shared.warning(loss) }
        for line in result.types {
            if line.isWarning { Log.shared.warning(line.text) } else { Log.shared.info(line.text) }
        }
        for fault in result.left { Log.shared.warning("\(fault)") }
        for root in result.kept where namedRoots.insert([root.name, root.configured]).inserted {
            Log.shared.info(root.sentence)
        }
    }
}
