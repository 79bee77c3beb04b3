// SPDX-License-Identifier: MIT
// The checks of owners and modes. Independent of the files' contents.

import ObserveCore

extension Examination {
    /// One finding for each file or folder that its users can't trust or use.
    var permissionFindings: [Finding] {
        var faults: [Finding?] = [socketFolder(Path.folder(of: places.socket))]
        faults.append(places.configuration.flatMap(configurationFile))
        faults += places.state.map(stateFolder) ?? []
        let found = faults.compactMap { $0 }
        return found.isEmpty ? [.well(.permissions, nil, "no other user can change a file")] : found
    }

    private func socketFolder(_ path: String) -> Finding? {
        let folder = path.quotedForShell
        guard let status = status(path) else {
            return .wrong(
                .permissions,
                path,
                "the socket's folder is missing",
                remedy: "mkdir -p -m 700 \(folder)"
            )
        }
        guard status.isFolder else { return nil }
        let uid = places.process.uid
        if status.owner != uid, status.owner != 0, uid != 0 {
            return .wrong(
                .permissions,
                path,
                "the socket's folder is of another user (uid \(status.owner))",
                remedy: "export XDG_RUNTIME_DIR=/run/user/\(uid)"
            )
        }
        // In a folder with the sticky bit, as /tmp, others can't replace the socket.
        guard status.isWritableByOthers, status.permissions & 0o1000 == 0 else { return nil }
        return .wrong(
            .permissions,
            path,
            "other users can replace the socket",
            remedy: "chmod go-w \(folder)"
        )
    }

    private func configurationFile(_ path: String) -> Finding? {
        guard let status = status(path), !status.isFolder, status.isWritableByOthers else { return nil }
        return .wrong(
            .permissions,
            path,
            "other users can write the configuration, so the daemon refuses it",
            remedy: "chmod go-w \(path.quotedForShell)"
        )
    }

    private func stateFolder(_ path: String) -> [Finding] {
        guard let folder = status(path), folder.isFolder else { return [] }
        if folder.isWritableByOthers {
            let remedy = "chmod go-w \(path.quotedForShell)"
            return [.wrong(.permissions, path, "other users can write the state", remedy: remedy)]
        }
        let names = (try? StateFolder.names(in: path)) ?? []
        let files = [path] + names.map { "\(path)/\($0)" }
        guard let file = files.first(where: { status($0).map { $0.owner != places.process.uid } ?? false })
        else {
            return []
        }
        let remedy = "sudo chown -R \(places.process.uid) \(path.quotedForShell)"
        return [.wrong(.permissions, file, "another user has it", remedy: remedy)]
    }

    private func status(_ path: String) -> FileStatus? { try? FileStatus.of(path) }
}
