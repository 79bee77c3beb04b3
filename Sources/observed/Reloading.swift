// SPDX-License-Identifier: MIT
// Reading the configuration again while the daemon serves. Knows nothing of signals.

internal import ObserveCore

/// A configuration that may be read again, and what has come of it so far.
struct Reloading {
    private let file: ConfigurationFile
    /// The first one, and all that was declared since.
    private var current: Configuration

    init(_ file: ConfigurationFile, _ configuration: Configuration) {
        self.file = file
        current = configuration
    }

    /// Reads the file and adds what it has that is not there: types, roots, links, bindings; limits as they are now. What it
    /// has no more stays. One with a fault changes nothing, and the log says why.
    mutating func reload(_ server: ServerOnQueue) {
        do throws(ConfigurationFileError) {
            let (fresh, path) = try file.load()
            guard let path else { return Log.shared.info("there is no configuration to read again") }
            try take(fresh, for: server, path)
            Log.shared.info("the configuration was read again from \(path)")
        } catch {
            for sentence in error.sentences { Log.shared.error(sentence) }
            Log.shared.error("the configuration has faults: nothing was changed")
        }
    }

    private mutating func take(_ fresh: Configuration, for server: ServerOnQueue, _ path: String)
        throws(ConfigurationFileError)
    {
        try refuse(current.obstacles(to: fresh, in: server.tree), path)
        try refuse(current.declare(fresh, in: server.tree), path)
        var faults: [ConfigurationFault] = []
        do throws(DiskError) { try server.change { faults = fresh.add(to: $0) } } catch {
            throw ConfigurationFileError(sentences: ["what the configuration adds can't be kept: \(error)"])
        }
        try refuse(faults, path)
        if fresh.durability != current.durability
            || fresh.limits.tree.maxDepth != current.limits.tree.maxDepth
        {
            Log.shared.warning(
                "journal.durability and limits.maxDepth change with a restart, and not before"
            )
        }
        server.adopt(fresh.limits)
        // The socket's permissions are those that it was made with.
        if !server.adopt(fresh.access ?? AccessRules([])), fresh.access != nil {
            Log.shared.warning("the socket is open to other users (access) after a restart, and not before")
        }
    }

    private func refuse(_ faults: [ConfigurationFault], _ path: String) throws(ConfigurationFileError) {
        guard !faults.isEmpty else { return }
        throw ConfigurationFileError(sentences: faults.map { "\(path): \($0)" })
    }
}
