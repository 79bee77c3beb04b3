// SPDX-License-Identifier: MIT
// The checks of owners and modes. Independent of the files' contents.

import ObserveCore

extension Examination {
    /// One finding for each file or folder that its users can't trust or use.
    var permissionFindings: [Finding] {
        let found = [
            // The socket's finding has the `mv` already: a second one would fail.
            socketFolder.flatMap { $0.remedy?.hasPrefix("mv ") == true ? nil : $0 },
            places.configuration.flatMap { folder(of: $0, "the configuration") },
            places.configuration.flatMap { barrier($0, writes: false) ?? configurationFile($0) },
            places.state.flatMap { folder(of: $0, "the state") },
            places.state.flatMap { barrier($0, writes: true) ?? stateFolder($0) },
        ].compactMap(\.self)
        let well = "this user can use its files, and no other can change them"
        return found.isEmpty ? [Finding(.permissions, nil, well)] : found
    }

    private func wrong(_ path: String, _ message: String, _ remedy: String) -> Finding {
        Finding(.permissions, path, message, remedy: remedy)
    }

    /// The fault of the socket's folder.
    var socketFolder: Finding? {
        let (path, uid) = (Path.folder(of: places.socket), places.process.uid)
        let folder = path.quotedForShell
        guard let status = Surroundings.status(path) else {
            // The daemon makes this one.
            if path == "/tmp/observed-\(uid)" { return nil }
            return wrong(path, "the socket's folder is missing", "mkdir -p -m 700 \(folder)")
        }
        guard status.isFolder
        else { return wrong(path, "the socket's folder is a file", "mv \(folder) \(folder).old") }
        let isUsable = isAnswered || Platform.mayUse(path, writes: true)
        if status.owner != uid, !isUsable, places.isNamed, places.manager == nil {
            return wrong(path, "you can't use it", "unset OBSERVED_SOCKET")
        }
        let isRuntime = path == places.process.environment("XDG_RUNTIME_DIR")
        if status.owner != uid, uid != 0, status.owner != 0 || isRuntime && !isUsable {
            let message = "the socket's folder is of another user (uid \(status.owner))"
            return wrong(path, message, "export XDG_RUNTIME_DIR=/run/user/\(uid)")
        }
        if status.owner == uid, !isUsable { return wrong(path, "you can't use it", "chmod u+rwx \(folder)") }
        return self.folder(of: places.socket, "the socket")
    }

    /// The lowest part of `path` that exists, if this user can't use it.
    private func barrier(_ path: String, writes: Bool) -> Finding? {
        guard let status = Surroundings.status(path)
        else { return path == "/" ? nil : barrier(Path.folder(of: path), writes: writes) }
        let (uid, file) = (places.process.uid, path.quotedForShell)
        if writes, !status.isFolder, path != places.state {
            return wrong(path, "it is not a folder", "mv \(file) \(file).old")
        }
        if Platform.mayUse(path, writes: writes) { return nil }
        if status.isFolder, status.owner == uid, status.permissions & 0o700 == 0o700 {
            let remount = "sudo mount -o remount,rw \"$(stat -c %m \(file))\""
            return wrong(path, "its file system is read-only", remount)
        }
        if status.owner == uid { return wrong(path, "you can't use it", "chmod u+rwX \(file)") }
        let home = places.process.environment("HOME") ?? ""
        let isInside = !home.isEmpty && path.hasPrefix("\(home)/")
        let otherHome = "unset XDG_CONFIG_HOME XDG_STATE_HOME; eval HOME=~$(id -un)"
        return wrong(path, "another user has it", isInside ? "sudo chown -RH \(uid) \(file)" : otherHome)
    }

    /// The fault of the folder of `path`, if other users can replace its files.
    private func folder(of path: String, _ name: String) -> Finding? {
        let folder = Path.folder(of: path)
        // With the sticky bit, as in /tmp, they can't.
        guard let status = Surroundings.status(folder), status.isFolder, status.isWritableByOthers,
            status.permissions & 0o1000 == 0
        else { return nil }
        return wrong(folder, "other users can replace \(name)", "chmod go-w \(folder.quotedForShell)")
    }

    private func configurationFile(_ path: String) -> Finding? {
        guard let status = Surroundings.status(path), !status.isFolder else { return nil }
        let uid = places.process.uid
        if status.owner != uid, status.owner != 0 {
            return wrong(path, "another user has it", "sudo chown \(uid) \(path.quotedForShell)")
        }
        guard status.isWritableByOthers else { return nil }
        let message = "other users can write the configuration, so the daemon refuses it"
        return wrong(path, message, "chmod go-w \(path.quotedForShell)")
    }

    /// The fault of the folder with the state, if others may write it or have a file in it.
    func stateFolder(_ path: String) -> Finding? {
        guard let folder = Surroundings.status(path), folder.isFolder else { return nil }
        let (uid, shown) = (places.process.uid, path.quotedForShell)
        if folder.isWritableByOthers {
            return wrong(path, "other users can write the state", "chmod go-w \(shown)")
        }
        let files = [path] + ((try? StateFolder.names(in: path)) ?? []).map { "\(path)/\($0)" }
        let foreign = files.first { Surroundings.status($0).map { $0.owner != uid } ?? false }
        return foreign.map { wrong($0, "another user has it", "sudo chown -RH \(uid) \(shown)") }
    }
}
