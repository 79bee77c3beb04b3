// SPDX-License-Identifier: MIT
// Words of a command line that are in another's place: values before paths, files for paths, times without their option.

import ObserveCore

extension ParsedArguments {
    /// Throws if the first word is the value, as in `set 50 app.volume`, or the file, as in `load --json FILE`, or if a sign
    /// follows the path, as in `set app.volume: 50`.
    func refuseMisplaced(_ spec: CommandSpec) throws(CommandError) {
        // Without FILE, standard input is read: a root may have the name of a file here.
        if spec.placeholders == ["FILE"], let file = options["--json"],
            file.contains("/") || file.hasSuffix(".json"), file.isFile,
            operands.first != "-", operands.first?.isFile != true
        {
            let path = operands.first ?? "PATH"
            let line = "\(spec.name) --json \(path.quotedForShell) \(file.quotedForShell)"
            throw usage("'\(file)' is a file, and --json takes the PATH to set: \(line)")
        }
        let second = spec.placeholders.dropFirst().first
        let isWrite = second == "VALUE" || second == "JSON"
        if isWrite || second == "BY" {
            try refuse(ForeignNotation(in: operands[0], isAssigned: true), of: operands[0])
        }
        if second == "BY" { try refuseJoinedNumber(spec) }
        guard isWrite, operands.count > 1, !isInput(1), !has("--string"), operands[0].isValue,
            !operands[1].isValue, (try? valuePath(operands[1])) != nil
        else { return }
        let line = "\(spec.name) \(operands[1].quotedForShell) \(operands[0].quotedForShell)"
        let root = "a root of that name is written \("\\\(operands[0])".quotedForShell)"
        throw usage("'\(operands[0])' is a VALUE, and the PATH is before it: \(line); \(root)")
    }

    /// Throws if the path has the number, as in `increment a=5` and `increment a+=5`, which would add 1 to a property `a=5`.
    private func refuseJoinedNumber(_ spec: CommandSpec) throws(CommandError) {
        let parts = operands[0].split(separator: "=", maxSplits: 1)
        guard operands.count == 1, parts.count == 2, parts[0].last != "\\", Double(parts[1]) != nil
        else { return }
        let path = parts[0].last == "+" ? parts[0].dropLast() : parts[0]
        let line = "\(spec.name) \(String(path).quotedForShell) \(parts[1])"
        let name = "a name with the sign is written '\(parts[0])\\=\(parts[1])'"
        throw usage("'\(operands[0])' is a PATH and a number: \(line); \(name)")
    }

    /// Throws if a word among paths is a time, as in `log 5m`. Other commands take it as a path: a root may have that name.
    func refuseTime(_ word: String, _ spec: CommandSpec) throws(CommandError) {
        guard DurationArgument(word)?.hasUnit != false, let option = timeOption(for: word, spec),
            option == "--since"
        else { return }
        let offer = "did you mean \(option) \(word)? A root of that name is written '\\\(word)'"
        throw usage("'\(word)' is a time, and not a PATH; \(offer)")
    }

    /// The option that takes a word such as `5m` or `14:00`; nil for other words, and for a number that may be a value.
    private func timeOption(for word: String, _ spec: CommandSpec) -> String? {
        guard TimeArgument.past(word, now: .now, zone: .utc) != nil else { return nil }
        let names = ["--since", "--at", "--interval", "--lifetime", "--timeout"]
        let option = names.first(where: { name in
            !has(name) && ["TIME", "MOMENT", "LIFETIME"].contains(spec.allOptions.named(name)?.value)
        })
        let takesNumber = option == "--since" || option == "--interval"
        return DurationArgument(word)?.hasUnit == false && !takesNumber ? nil : option
    }

    /// The end of a sentence about a word too many: the option or the stream that takes it; nil for other words.
    func remedy(forExtra word: String, _ spec: CommandSpec) -> String? {
        if let option = timeOption(for: word, spec) { return "; did you mean \(option) \(word)?" }
        let line = "observectl \(([spec.name] + spec.placeholders).joined(separator: " "))"
        switch spec.name {
        case "transaction", "publish", "pipe": return "; it reads standard input: \(line) < FILE"
        case "dump": return "; it writes standard output: \(line) > FILE"
        default: return nil
        }
    }
}

private extension String {
    var isFile: Bool { (try? FileStatus.of(self, followsLinks: true))?.isFile == true }
}

extension String {
    /// Whether it is JSON, or begins like an object or a string.
    var isValue: Bool {
        hasPrefix("{") || hasPrefix("\"") || (try? RawJSON(validating: bytes, maxDepth: .max)) != nil
    }
}
