// SPDX-License-Identifier: MIT
// Reloads the configuration while the daemon serves. Independent of signals.

internal import ObserveCore

/// A configuration that can be reloaded, and all declarations so far.
struct Reloading {
    private let file: ConfigurationFile
    /// The first configuration, and all declarations since.
    private var current: Configuration

    init(_ file: ConfigurationFile, _ configuration: Configuration) {
        self.file = file
        current = configuration
    }

    /// Reads the file, adds the types, roots, links and bindings that the tree lacks, and replaces limits and
    /// access rules. Parts that are no longer in the file stay.
    ///
    /// If the file is faulty, logs the faults and changes nothing, except that new declarations may stay.
    mutating func reload(_ server: ServerOnQueue) {
        do throws(ConfigurationFileError) {
            let (fresh, path) = try file.load()
            guard let path else { return Log.shared.info("no configuration to read again") }
            try adopt(fresh, for: server, path)
            Log.shared.info("the configuration was read again from \(path)")
        } catch {
            for sentence in error.sentences { Log.shared.error(sentence) }
            Log.shared.error("the configuration has faults: nothing was changed")
        }
    }

    private mutating func adopt(_ fresh: Configuration, for server: ServerOnQueue, _ path: String)
        throws(ConfigurationFileError)
    {
        try refuse(current.obstacles(to: fresh, in: server.tree), path)
        try refuse(current.declare(fresh, in: server.tree), path)
        var faults: [ConfigurationFault] = []
        do throws(DiskError) { try server.change { faults = fresh.add(to: $0) } } catch {
            throw ConfigurationFileError(sentences: ["the configuration's additions can't be kept: \(error)"])
        }
        try refuse(faults, path)
        if fresh.durability != current.durability
            || fresh.limits.tree.maxDepth != current.limits.tree.maxDepth
        {
            Log.shared.warning(
                "journal.durability and limits.maxDepth change with a restart only"
            )
        }
        server.adopt(fresh.limits)
        // The socket keeps the permissions that it was made with.
        if !server.adopt(fresh.access ?? AccessRules([])), fresh.access != nil {
            Log.shared.warning("the socket opens to other users (access) after a restart")
        }
    }

    private func refuse(_ faults: [ConfigurationFault], _ path: String) throws(ConfigurationFileError) {
        guard !faults.isEmpty else { return }
        throw ConfigurationFileError(sentences: faults.map { "\(path): \($0)" })
    }
}
