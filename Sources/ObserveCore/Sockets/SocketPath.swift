// SPDX-License-Identifier: MIT
// Where the daemon's socket is when nobody says so: one rule for daemon and client. Opens no socket.

package enum SocketPath {
    /// `--socket PATH`, else `$OBSERVED_SOCKET`, else `$XDG_RUNTIME_DIR/observed.sock`, else a folder of the
    /// user's own under `/tmp`, which must belong to them and be writable by nobody else.
    ///
    /// Empty variables count as unset; so does a relative `$XDG_RUNTIME_DIR`, as its specification asks.
    ///
    /// - `makesFolder`: whether the folder under `/tmp` is made if it is missing. The daemon does; a client
    ///   only checks.
    package static func resolve(
        option: String?,
        environment: (String) -> String?,
        uid: UInt32,
        makesFolder: Bool,
        temporaryFolder: String = "/tmp"
    ) throws(SocketError) -> String {
        if let option {
            try UnixSocket.check(path: option)
            return option
        }
        if let path = environment("OBSERVED_SOCKET"), !path.isEmpty { return path }
        if let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") {
            return folder.hasSuffix("/") ? "\(folder)observed.sock" : "\(folder)/observed.sock"
        }
        let folder = "\(temporaryFolder)/observed-\(uid)"
        if makesFolder { try Platform.makeFolder(folder) }
        try checkPrivate(folder, uid: uid)
        return "\(folder)/observed.sock"
    }

    /// Refuses a folder in which somebody else could put a socket of theirs. One that is missing is nobody's.
    private static func checkPrivate(_ folder: String, uid: UInt32) throws(SocketError) {
        guard let status = try FileStatus.of(folder) else { return }
        guard status.isFolder else { throw .notAFolder(folder) }
        guard status.owner == uid else { throw .folderOfAnotherUser(folder, owner: status.owner) }
        guard status.permissions & 0o022 == 0 else {
            throw .folderWritableByOthers(folder, mode: status.permissions)
        }
    }
}
