// SPDX-License-Identifier: MIT
// One run of one command: its arguments, its process, the daemon, its output. Independent of the command.

import ObserveCore

struct Invocation {
    let arguments: ParsedArguments
    let process: ToolProcess
    /// The time at which the run times out. Connecting counts too.
    private(set) var deadline: MonotonicTime?
    var presentation = Presentation.plain

    var operands: [String] { arguments.operands }
    var streams: StandardStreams { process.streams }

    /// The run with a deadline of its own, so that a daemon that does not answer ends no more than a request.
    func patient(_ milliseconds: UInt64) -> Invocation {
        var copy = self
        copy.deadline = min(deadline ?? .distantFuture, .now.adding(milliseconds: milliseconds))
        return copy
    }

    func operand(_ index: Int) -> RawJSON { RawJSON(.string(operands[index])) }

    /// The names of the path that is the first operand; empty without one.
    func literalNames() throws(CommandError) -> [String] {
        guard let path = operands.first, !path.isEmpty else { return [] }
        return try arguments.names(of: path)
    }

    func connect() throws(CommandError) -> ClientConnection { try attempt(connect(until: deadline)) }

    func connect(until deadline: MonotonicTime?) throws(ClientError) -> ClientConnection {
        try ClientConnection(path: socketPath(), until: deadline)
    }

    /// Connects without a client, for bytes in both directions.
    func connectSocket() throws(CommandError) -> FileDescriptor {
        try attempt(ClientConnection.socket(path: socketPath(), until: deadline))
    }

    private func socketPath() throws(ClientError) -> String {
        try attempt(process.socketPath(arguments.options["--socket"]), or: ClientError.unreachable)
    }

    @discardableResult
    func request(_ method: String, _ params: RequestParams = [:]) throws(CommandError) -> RawJSON {
        try begin(method, params).answer
    }

    /// Connects, and sends the first request. If the daemon is being upgraded, it has not executed the request, and the
    /// next one gets it.
    func begin(_ method: String, _ params: RequestParams) throws(CommandError)
        -> (answer: RawJSON, connection: ClientConnection)
    {
        while true {
            let connection = try connect()
            do throws(ClientError) {
                return (try connection.call(method, params, until: deadline), connection)
            } catch {
                guard CommandError.client(error).isUpgrade else { throw .client(error) }
            }
        }
    }

    /// The most bytes of standard input that become one value.
    static let valueLimitBytes = 64 << 20

    func input(_ name: String, limitBytes: Int = Invocation.valueLimitBytes) throws(CommandError) -> [UInt8] {
        announceInput(name)
        return try attemptInput(streams.readInput(limitBytes: limitBytes, until: deadline))
    }

    /// Says on a terminal that the command waits for input there.
    func announceInput(_ name: String) {
        guard Terminal.isTerminal(streams.input) else { return }
        process.report("reading \(name) from standard input; Ctrl-D ends it")
    }

    /// The bytes of a file. A pipe may wait for its other end, up to the deadline.
    func contents(of file: String, limitBytes limit: Int, refusesSharedWriting isStrict: Bool = false)
        throws(CommandError) -> [UInt8]
    {
        try attemptInput(
            Platform.readFile(file, limitBytes: limit, refusesSharedWriting: isStrict, until: deadline)
        )
    }

    /// The bytes that standard input has now; nil at its end.
    func availableInput() throws(CommandError) -> [UInt8]? {
        let (result, bytes) = ByteIO.read(streams.input, limitBytes: 65_536)
        switch result {
        case .bytes, .wouldBlock: return bytes
        case .endOfInput: return nil
        case .failed(let code): throw .input(.systemCall("read", path: "standard input", code: code))
        }
    }

    /// Replaces a file by that text; for `-`, writes it to standard output.
    func replace(_ file: String, _ text: String) throws(CommandError) {
        if file == "-" { return try writeVerbatim(text.bytes) }
        try attemptInput(Platform.replaceFile(file, text.bytes))
    }

    /// Writes a line to standard output, at once.
    func print(_ line: [UInt8]) throws(CommandError) { try write(line + [0x0A]) }

    /// Writes bytes to standard output, at once. On a terminal, characters that would change it are shown as escapes.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        guard presentation.isTerminal else { return try writeVerbatim(bytes) }
        try writeVerbatim(String(decoding: bytes, as: UTF8.self).printable(keepingLines: true).bytes)
    }

    private func writeVerbatim(_ bytes: [UInt8]) throws(CommandError) {
        try streams.put(bytes, until: deadline)
    }

    // MARK: Values and lists

    /// Prints a JSON value, after a label in its first line, and before an end: verbatim in a line, or as people read it.
    func show(_ json: RawJSON, after label: [UInt8] = [], before end: [UInt8] = []) throws(CommandError) {
        guard !presentation.isVerbatim else { return try print(label + json.bytes + end) }
        if !label.isEmpty { try write(label) }
        try writeVerbatim(JSONLayout.bytes(of: json, as: presentation) + end + [0x0A])
    }

    /// Prints a list: each row as JSON, or a table on a terminal.
    func show(rows: [RawJSON], in table: TableSpec) throws(CommandError) {
        if presentation.hasTables {
            return try show(TextTable(header: table.header, rows: rows.map(table.cells)))
        }
        for row in rows { try show(row) }
    }

    func show(_ table: TextTable) throws(CommandError) {
        for line in table.lines(columns: presentation.columns) { try print(line.bytes) }
    }

    /// Says how to begin, for people and programs that expect something. JSON stays without words.
    func reportEmptyDaemon() { if !arguments.has("--json") { process.report(TreeScreen.beginning) } }

    // MARK: Past times

    /// The past moment of an option as the protocol has it: a revision, or a negative number of milliseconds before now.
    func moment(_ name: String) throws(CommandError) -> RawJSON? {
        guard let text = arguments.options[name] else { return nil }
        if let revision = Int64(text), revision >= 0 { return RawJSON(.int(revision)) }
        let now = ClockTime.now
        if let past = time(text, before: now) {
            return RawJSON(.int(min(past.milliseconds - now.milliseconds, -1)))
        }
        let past = "a past time, like -5m, 14:00 or 2026-01-31T14:00"
        throw arguments.usage("\(name) takes a revision, like 41, or \(past), not '\(text)'")
    }

    /// The past time of an option; nil if it is not given.
    func past(_ name: String) throws(CommandError) -> ClockTime? {
        guard let text = arguments.options[name] else { return nil }
        if let time = time(text, before: .now) { return time }
        let examples = "30 (seconds), 5m, 1d, 14:00 or 2026-01-31T14:00"
        throw arguments.usage("\(name) takes a past time, like \(examples), not '\(text)'")
    }

    /// The past time of a text, which may have a dash before its duration. Nil for other texts and for later times.
    private func time(_ text: String, before now: ClockTime) -> ClockTime? {
        let text = text.hasPrefix("-") ? String(text.dropFirst()) : text
        let time = TimeArgument.past(text, now: now, zone: presentation.zone)
        return time.flatMap { $0.milliseconds <= now.milliseconds ? $0 : nil }
    }

    // MARK: Drawings

    /// The characters to draw with: those of the locale, or ASCII with `--ascii`.
    var glyphs: Glyphs { arguments.has("--ascii") ? .ascii : .fitting(process.environment) }

    /// The columns of a line. Without a terminal, no line is cut.
    var lineColumns: Int { presentation.isTerminal ? presentation.columns : Int(Int16.max) }

    /// The rows of the terminal; nil if standard output is none.
    var screenRows: Int? { presentation.isTerminal ? Terminal.size(streams.output)?.rows ?? 24 : nil }

    func draw(_ lines: [CellLine]) throws(CommandError) {
        try writeVerbatim(lines.output(isColoured: presentation.isColoured))
    }
}

extension RawJSON {
    /// A member that the protocol promises: see "Methods" in docs/protocol.md.
    func required(_ name: String) throws(CommandError) -> RawJSON {
        guard let member = member(name) else { throw .client(.malformed("an answer without \(name)")) }
        return member
    }

    /// What the daemon has sent, as a value.
    func checkedValue(of what: String = "a value") throws(ClientError) -> Value {
        do throws(JSONError) { return try value() } catch { throw .malformed("\(what) with \(error)") }
    }
}
