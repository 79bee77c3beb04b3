// SPDX-License-Identifier: MIT
// The checks of owners and modes. Independent of the files' contents.

import ObserveCore

extension Examination {
    /// One finding for each file or folder that its users can't trust or use.
    var permissionFindings: [Finding] {
        var faults: [Finding?] = [socketFolder(Path.folder(of: places.socket))]
        faults.append(places.configuration.flatMap { folder(of: $0, "the configuration") })
        faults.append(places.configuration.flatMap(configurationFile))
        faults.append(places.state.flatMap { folder(of: $0, "the state") })
        faults += places.state.map(stateFolder) ?? []
        let found = faults.compactMap { $0 }
        return found.isEmpty ? [.well(.permissions, nil, "no other user can change a file")] : found
    }

    private func wrong(_ path: String, _ message: String, _ remedy: String) -> Finding {
        .wrong(.permissions, path, message, remedy: remedy)
    }

    private func socketFolder(_ path: String) -> Finding? {
        let folder = path.quotedForShell
        guard let status = status(path) else {
            return wrong(path, "the socket's folder is missing", "mkdir -p -m 700 \(folder)")
        }
        guard status.isFolder else { return nil }
        let uid = places.process.uid
        if status.owner != uid, status.owner != 0, uid != 0 {
            let message = "the socket's folder is of another user (uid \(status.owner))"
            return wrong(path, message, "export XDG_RUNTIME_DIR=/run/user/\(uid)")
        }
        return self.folder(of: places.socket, "the socket")
    }

    /// The fault of the folder of `path`, if other users can replace its files.
    private func folder(of path: String, _ name: String) -> Finding? {
        let folder = Path.folder(of: path)
        // With the sticky bit, as in /tmp, they can't.
        guard let status = status(folder), status.isFolder, status.isWritableByOthers,
            status.permissions & 0o1000 == 0
        else { return nil }
        return wrong(folder, "other users can replace \(name)", "chmod go-w \(folder.quotedForShell)")
    }

    private func configurationFile(_ path: String) -> Finding? {
        guard let status = status(path), !status.isFolder else { return nil }
        let uid = places.process.uid
        if status.owner != uid, status.owner != 0 {
            return wrong(path, "another user has it", "sudo chown \(uid) \(path.quotedForShell)")
        }
        guard status.isWritableByOthers else { return nil }
        let message = "other users can write the configuration, so the daemon refuses it"
        return wrong(path, message, "chmod go-w \(path.quotedForShell)")
    }

    private func stateFolder(_ path: String) -> [Finding] {
        guard let folder = status(path), folder.isFolder else { return [] }
        if folder.isWritableByOthers {
            return [wrong(path, "other users can write the state", "chmod go-w \(path.quotedForShell)")]
        }
        let names = (try? StateFolder.names(in: path)) ?? []
        let files = [path] + names.map { "\(path)/\($0)" }
        guard let file = files.first(where: { status($0).map { $0.owner != places.process.uid } ?? false })
        else { return [] }
        let remedy = "sudo chown -RH \(places.process.uid) \(path.quotedForShell)"
        return [wrong(file, "another user has it", remedy)]
    }

    private func status(_ path: String) -> FileStatus? { try? FileStatus.of(path, followsLinks: true) }
}
