// SPDX-License-Identifier: MIT
// The default path of the daemon's socket: one rule for daemon and client. Opens no socket.

package enum SocketPath {
    /// `--socket PATH`, else `$OBSERVED_SOCKET`, else `$XDG_RUNTIME_DIR/observed.sock`, else a socket in
    /// `/tmp/observed-UID`. The user must own that folder, and other users must not be able to write it.
    ///
    /// Empty variables count as unset. So does a relative `$XDG_RUNTIME_DIR`, as its specification requires.
    ///
    /// - Parameter makesFolder: Create the folder under `/tmp` if it is missing, as the daemon does. Clients only check it.
    package static func resolve(
        option: String?,
        environment: (String) -> String? = Platform.environment,
        uid: UInt32 = Platform.uid,
        makesFolder: Bool = false,
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
        if let status = try FileStatus.of(folder) {
            guard status.isFolder else { throw .notAFolder(folder) }
            try status.requirePrivate(folder, of: uid)
        }
        return "\(folder)/observed.sock"
    }
}
