// SPDX-License-Identifier: MIT
// The checks of `doctor`. Each changes nothing, and is independent of how findings are printed.

import ObserveCore

struct Examination {
    let places: Surroundings
    /// The daemon's status.
    let answer: Result<RawJSON, ClientError>
    let units: [ServiceUnit]?

    var findings: [Finding] {
        [socketFinding] + unitFindings + configurationFindings + stateFindings + versionFindings
            + permissionFindings
    }

    var isAnswered: Bool { status != nil }

    private var status: RawJSON? { try? answer.get() }

    // MARK: Socket and unit

    private var socketFinding: Finding {
        let path = places.socket
        func wrong(_ message: String, _ remedy: String) -> Finding {
            Finding(.socket, path, message, remedy: remedy)
        }
        func moved(_ kind: String) -> Finding {
            // A folder that was chosen by mistake has another use.
            let isFolder = Surroundings.status(path)?.isFolder == true
            let isChosen = isFolder && (places.isNamed || !places.isDefault)
            let elsewhere = places.isNamed ? "unset OBSERVED_SOCKET" : "observectl doctor"
            let file = path.quotedForShell
            let remedy = isChosen ? elsewhere : "mv \(file) \(file).old"
            return wrong("it is \(kind), so no daemon can listen", remedy)
        }
        switch answer {
        case .success(let status):
            return Finding(.socket, path, "observed \(status.string("version") ?? "") answers")
        case .failure(.unreachable(.noSocket)), .failure(.unreachable(.noListener)):
            if let file = try? FileStatus.of(path), !file.isSocket { return moved("not a socket") }
            let (folder, uid) = ("/run/user/\(places.process.uid)", places.process.uid)
            let runtime = places.process.environment("XDG_RUNTIME_DIR") ?? ""
            if path == "/tmp/observed-\(uid)/observed.sock", runtime.isEmpty, Surroundings.exists(folder) {
                let message = "no daemon listens, and XDG_RUNTIME_DIR is not set"
                return wrong(message, "export XDG_RUNTIME_DIR=\(folder)")
            }
            if let keeper = places.keeper { return fault(ofKeeper: keeper) }
            // A daemon that can't make its socket does not start.
            let isUsable = Platform.mayUse(Path.folder(of: path), writes: true)
            let obstacle = isUsable ? nil : socketFolder?.remedy
            return wrong("no daemon listens", obstacle ?? places.startCommand(units))
        case .failure(let error) where error.isOfListener:
            let isSilent = error == .timedOut
            let message = isSilent ? "a program listens, and does not answer" : error.description
            guard units?.service?.isActive != true, let listener = places.listener else {
                let kill = "pkill -KILL -u \(places.process.uid) -x observed"
                let hasUnit = units?.isEmpty == false
                return wrong(message, hasUnit ? "\(managerText) restart observed.service" : kill)
            }
            if listener.isStopped { return wrong("a stopped program listens", "kill -CONT \(listener.pid)") }
            return wrong(message, "kill -KILL \(listener.pid)")
        case .failure(.unreachable(.pathTooLong(_, let limit))):
            let shorter = "export XDG_RUNTIME_DIR=/run/user/\(places.process.uid)"
            let message = "it is longer than \(limit) bytes"
            return wrong(message, places.isNamed ? "unset OBSERVED_SOCKET" : shorter)
        case .failure(let error) where error == .goodbye(reason: "accessDenied"):
            return wrong(error.description, edit((places.configuration ?? "FILE").quotedForShell))
        case .failure(.unreachable(.systemCall)) where Surroundings.status(path)?.isSocket == false:
            return moved("not a socket")
        case .failure(.unreachable(.systemCall)) where Platform.mayUse(path, writes: true):
            // Its permissions are not at fault.
            return moved("a socket of another kind")
        case .failure(let error):
            if let link = deadLink(.socket, path) { return link }
            func owner(_ path: String) -> UInt32? { Surroundings.status(path)?.owner }
            if owner(path) == nil, let fault = socketFolder, let remedy = fault.remedy {
                return wrong(fault.message, remedy)
            }
            let user = owner(path) ?? owner(Path.folder(of: path)) ?? 0
            let (own, other) = ("chmod u+rw \(path.quotedForShell)", "sudo -u '#\(user)' observectl doctor")
            return wrong(error.description, user == places.process.uid ? own : other)
        }
    }

    /// The fault of a socket without a listener, while a daemon keeps the state: a second one could not start.
    private func fault(ofKeeper keeper: Listener) -> Finding {
        let message = "no daemon listens, and process \(keeper.pid) keeps the state"
        guard let other = keeper.socket(uid: places.process.uid), other != places.socket
        else { return Finding(.socket, places.socket, message, remedy: "kill \(keeper.pid)") }
        let remedy = "export OBSERVED_SOCKET=\(other.quotedForShell)"
        return Finding(.socket, places.socket, "\(message): it listens on \(other)", remedy: remedy)
    }

    private var managerText: String { places.manager?.joined(separator: " ") ?? "systemctl" }

    private var unitFindings: [Finding] {
        guard let units else { return [Finding(.unit, nil, "no service manager has this socket")] }
        guard !units.isEmpty else { return [Finding(.unit, nil, "none is installed")] }
        return units.map { unit in
            unit.fault(managerText, exists: Surroundings.exists)
                ?? Finding(.unit, unit.name, "it is \(unit.active)")
        }
    }

    // MARK: Configuration and state

    /// The fault of a link that leads nowhere, behind which no program sees a file.
    private func deadLink(_ part: Finding.Part, _ path: String) -> Finding? {
        guard !Surroundings.exists(path), (try? FileStatus.of(path)) != nil else { return nil }
        return Finding(part, path, "this link leads nowhere", remedy: "rm \(path.quotedForShell)")
    }

    private var configurationFindings: [Finding] {
        if let link = places.configuration.flatMap({ deadLink(.configuration, $0) }) { return [link] }
        guard let path = places.configuration, Surroundings.exists(path) else {
            let remedy = places.configuration == nil ? "set HOME" : "'observectl init' writes one"
            let advice = "there is none; \(remedy)"
            return [Finding(.configuration, places.configuration, advice)]
        }
        let file = path.quotedForShell
        if let status = Surroundings.status(path), !status.isFile {
            let message = status.isFolder ? "it is a folder" : "it is not a regular file"
            return [Finding(.configuration, path, message, remedy: "mv \(file) \(file).old")]
        }
        guard let program = places.program, let run = Surroundings.run([program, "--check-config", path])
        else { return [Finding(.configuration, path, "it is not checked, without the program observed")] }
        if run.status == 0 { return [Finding(.configuration, path, "it has no faults")] }
        return run.sentences(butOfPermissions: path).map { sentence in
            let message = sentence.hasPrefix("\(path): ") ? sentence.dropFirst(path.count + 2) : sentence[...]
            return Finding(.configuration, path, String(message), remedy: edit(file))
        }
    }

    private func edit(_ file: String) -> String {
        let editor = ["VISUAL", "EDITOR"].compactMap(places.process.environment).first { !$0.isEmpty }
        return "\(editor ?? "vi") \(file)"
    }

    private var stateFindings: [Finding] {
        if let link = places.state.flatMap({ deadLink(.state, $0) }) { return [link] }
        guard let path = places.state, Surroundings.exists(path)
        else {
            let missing = places.state == nil ? "nothing persists; set HOME" : "there is none yet"
            return [Finding(.state, places.state, missing)]
        }
        if let status {
            let journal = status.member("journal")
            if journal?.isTrue("failing") != true {
                let use = journal == nil ? "the daemon does not use it" : "the daemon keeps it"
                return [Finding(.state, path, use)]
            }
            let (message, folder) = ("the daemon can't write it, and refuses writes", path.quotedForShell)
            if (Surroundings.status(path)?.permissions ?? 0o700) & 0o300 != 0o300 {
                return [Finding(.state, path, message, remedy: "chmod u+rwx \(folder)")]
            }
            return [Finding(.state, path, "\(message): make room on its disk", remedy: "df -h \(folder)")]
        }
        if let keeper = places.keeper { return [Finding(.state, path, "process \(keeper.pid) keeps it")] }
        guard let program = places.program, let run = Surroundings.run([program, "--check-state"])
        else { return [Finding(.state, path, "it is not checked, without the program observed")] }
        if run.status == 0 { return [Finding(.state, path, "a daemon can start with it")] }
        // Faults of the configuration, and permissions, are findings of their own.
        let others = [places.configuration, "the folder \(path) "].compactMap(\.self)
        let sentences = run.sentences(butOfPermissions: places.configuration ?? "")
        let isRefused = stateFolder(path) != nil
        return sentences.filter {
            !others.contains(where: $0.hasPrefix) && !(isRefused && $0.hasSuffix(": Permission denied"))
        }.map { sentence in
            Finding(.state, path, sentence, remedy: remedy(ofState: sentence, path.quotedForShell))
        }
    }

    private func remedy(ofState sentence: String, _ folder: String) -> String {
        if sentence.contains("--salvage") { return "observed --salvage" }
        if sentence.hasSuffix(": Permission denied") { return "chmod -R u+rwX \(folder)" }
        if sentence.hasSuffix("/lock is not a regular file") { return "rm -r \(folder)/lock" }
        let isUnusable = ["the state in ", "\(places.state ?? "")"].contains(where: sentence.hasPrefix)
        if isUnusable || sentence.contains(" failed for ") { return "mv \(folder) \(folder).old" }
        if sentence.hasPrefix("with the state ") { return edit((places.configuration ?? "").quotedForShell) }
        return "observed --adapt"
    }

    // MARK: Versions

    /// The command that installs both programs again. Packages alone have files in /usr.
    static func install(_ prefix: String) -> String {
        prefix == "/usr" ? "sudo dpkg -i observed_*.deb" : "make install PREFIX=\(prefix.quotedForShell)"
    }

    private var versionFindings: [Finding] {
        guard let program = places.program else {
            let install = Examination.install(Path.folder(of: places.folder))
            return [Finding(.versions, places.folder, "the program observed is missing", remedy: install)]
        }
        // A program prints "observed VERSION (COMMIT)".
        func version(_ program: String) -> Substring {
            Surroundings.run([program, "--version"])?.output.split(separator: "\n").first ?? ""
        }
        let printed = version(program)
        let installed = printed.split(separator: " ").dropFirst().first.map(String.init) ?? "unknown"
        var findings: [Finding] = []
        if printed != places.process.versionLine {
            let install = Examination.install(Path.folder(of: Path.folder(of: program)))
            let message =
                printed.isEmpty
                ? "it does not print its version"
                : "it is \(printed), and observectl is of \(places.process.versionLine)"
            findings.append(Finding(.versions, program, message, remedy: install))
        }
        if let running = status?.string("version"), running != installed {
            let message = "version \(running) runs, and \(installed) is installed"
            findings.append(Finding(.versions, program, message, remedy: "observectl upgrade"))
        }
        let first = places.found("observed")
        if first.map({ $0 == program || version($0) == printed }) != true {
            let folder = Path.folder(of: program)
            let remedy = "export PATH=\(folder.quotedForShell):\"$PATH\""
            let message = first.map { "a shell finds \($0) first" } ?? "its folder is not on the PATH"
            findings.append(Finding(.versions, program, message, remedy: remedy))
        }
        return findings.isEmpty ? [Finding(.versions, program, "all are \(printed)")] : findings
    }
}

private extension ClientError {
    /// Whether a program listens, but does not answer as the daemon does.
    var isOfListener: Bool {
        switch self {
        case .timedOut, .malformed, .connectionLost: true
        default: false
        }
    }
}

private extension ProgramRun {
    /// The permissions of a configuration are findings of their own.
    func sentences(butOfPermissions configuration: String) -> [String] {
        sentences.filter {
            !$0.contains(" is writable by others ") && !$0.hasSuffix(" \(configuration): Permission denied")
        }
    }

    /// The sentences on its standard error, without the program's name.
    var sentences: [String] {
        let lines = errors.split(separator: "\n").map { line in
            ["observed: error: ", "observed: "].first { line.hasPrefix($0) }
                .map { String(line.dropFirst($0.count)) } ?? String(line)
        }
        if !lines.isEmpty { return lines }
        return [isTimedOut ? "the check did not end in time" : "the check was ended by a signal"]
    }
}
