// SPDX-License-Identifier: MIT
// The options of `observectl subscribe`: their checks, and the request that they make. Independent of connections.

import ObserveCore

/// The settings of a run.
///
/// - Errors: `init` throws a usage error for options that do not go together.
struct SubscribeSettings {
    private static let longestTag = 128

    let paths: ObservedPaths
    /// The params of `subscribe`, without `since`.
    let params: RequestParams
    let start: SubscriptionPosition
    let resume: ResumeFile?
    /// The number of events, or of lines with a format.
    let limit: Int64?
    /// Nil unless a frame is one line.
    let format: LineFormat?
    let isRaw: Bool
    let hasTime: Bool
    let printsAll: Bool
    let skipsInitial: Bool
    /// The byte after each line.
    let end: UInt8

    init(_ invocation: Invocation) throws(CommandError) {
        let arguments = invocation.arguments
        try SubscribeSettings.check(arguments)
        limit = try arguments.count("--count")
        isRaw = arguments.has("--raw")
        hasTime = arguments.has("--time")
        printsAll = arguments.has("--all")
        skipsInitial = arguments.has("--no-initial")
        end = arguments.has("-0") ? 0x00 : 0x0A
        let prefix = arguments.options["--under"]
        let paths = try ObservedPaths(arguments.operands, under: prefix, of: arguments)
        let format = try arguments.options["--format"].map { (text) throws(CommandError) in
            try LineFormat(text, paths, arguments)
        }
        (self.paths, self.format) = (paths, format)
        params = try SubscribeSettings.params(arguments, format)
        resume = try arguments.options["--resume"].map { (path) throws(CommandError) in
            try ResumeFile(path, arguments)
        }
        start = try SubscribeSettings.start(arguments) ?? resume?.start ?? SubscriptionPosition()
    }

    /// Refuses options that do not go together.
    private static func check(_ arguments: ParsedArguments) throws(CommandError) {
        try arguments.refuse(["--every"], beside: "--debounce")
        try arguments.refuse(["--raw", "--prior", "--time"], beside: "--format")
        try arguments.refuse(["--prior"], beside: "--raw")
        try arguments.refuse(["--since"], beside: "--resume")
        try arguments.refuse(["--debounce", "--every"], beside: "--throttle")
        if arguments.has("--all"), !arguments.has("--format") {
            throw arguments.usage("--all goes with --format alone")
        }
        if let tag = arguments.options["--tag"], tag.utf8.count > longestTag {
            throw arguments.usage("--tag takes at most \(longestTag) bytes, not \(tag.utf8.count)")
        }
    }

    private static func start(_ arguments: ParsedArguments) throws(CommandError) -> SubscriptionPosition? {
        guard let text = arguments.options["--since"] else { return nil }
        guard let position = SubscriptionPosition(text) else {
            throw arguments.usage(
                "--since takes EPOCH:REVISION, the epoch of status and a revision, not '\(text)'"
            )
        }
        return position
    }

    private static func params(
        _ arguments: ParsedArguments,
        _ format: LineFormat?
    ) throws(CommandError) -> RequestParams {
        let prefix = arguments.options["--under"]
        let paths = arguments.operands.map { Value.string(ObservedPaths.joined(prefix, $0)) }
        var params: RequestParams =
            paths.count == 1 ? ["path": RawJSON(paths[0])] : ["paths": RawJSON(.array(paths))]
        // A line needs the values at the start, even if it does not show them at once.
        if arguments.has("--no-initial"), format == nil { params.append("initial", RawJSON(false)) }
        let flags = [
            ("old", arguments.has("--old") || format?.uses(.old) == true),
            ("prior", arguments.has("--prior")),
            ("origin", arguments.has("--origin") || format?.uses(.pid) == true),
            ("whole", arguments.has("--whole") || arguments.has("--raw") || format != nil),
        ]
        for (name, isSet) in flags where isSet { params.append(name, RawJSON(true)) }
        if let tag = arguments.options["--tag"] { params.append("tag", RawJSON(.string(tag))) }
        if arguments.has("--every") { params.append("delivery", RawJSON("every")) }
        for name in ["throttle", "debounce"] {
            guard let milliseconds = try arguments.milliseconds("--\(name)") else { continue }
            params.append(name, RawJSON(.int(milliseconds)))
        }
        return params
    }
}
