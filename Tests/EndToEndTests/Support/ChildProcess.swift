// SPDX-License-Identifier: MIT
// Starts any program on pipes, exchanges data with it and waits for its end.

import Glibc

/// How a process ended.
enum ExitStatus: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)
}

/// The output and status of a finished program.
struct Finished: Equatable, Sendable {
    var status: ExitStatus
    var output: String
    var errors: String
}

/// A wait beyond its deadline, or a failed call.
struct ProcessError: Error, CustomStringConvertible {
    let description: String
}

/// A running program whose three standard streams are pipes to the test.
///
/// - Lifetime: freeing it kills the program and reaps it.
/// - Threading: for one test's thread.
/// - Order: while it waits for one stream it reads the other too, so that the program never blocks on a full pipe.
final class ChildProcess {
    enum Stream {
        case output
        case errors
    }

    /// The longest wait before a test fails. A test that succeeds never waits that long.
    static let patience = Duration.seconds(120)

    let pid: pid_t
    private var input: Int32
    private var output: PipeReader
    private var errors: PipeReader
    /// Readable once the program and its children have ended: each of them holds the other end.
    private var life: PipeReader
    private var ended: ExitStatus?

    /// Starts `program`, searched in `$PATH` if its name has no slash.
    ///
    /// - `environment`: its variables besides `$PATH`.
    init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        inheriting inherited: Inherited = Inherited()
    ) throws {
        ignoreBrokenPipes()
        let started = try Spawn.start(program, arguments, environment, inherited)
        pid = started.pid
        input = started.input
        output = PipeReader(started.output)
        errors = PipeReader(started.errors)
        life = PipeReader(started.life)
    }

    deinit {
        if ended == nil {
            kill(pid, SIGKILL)
            var status: Int32 = 0
            _ = unsafe waitpid(pid, &status, 0)
        }
        closeInput()
        for pipe in [output, errors, life] { close(pipe.descriptor) }
    }

    /// Runs a program to its end.
    static func run(
        _ program: String,
        _ arguments: [String] = [],
        input: String? = nil,
        environment: [String: String] = [:],
        within limit: Duration = patience
    ) throws -> Finished {
        let child = try ChildProcess(program, arguments, environment: environment)
        if let input { try child.send(input) }
        child.closeInput()
        return try child.finish(within: limit)
    }

    // MARK: Its standard input

    func send(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write to the standard input") }
            rest = rest.dropFirst(count)
        }
    }

    /// Closes its standard input. A second call has no effect.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Stops reading a stream, as if the reading program had ended.
    func closeStream(_ stream: Stream) {
        switch stream {
        case .output: output.end()
        case .errors: errors.end()
        }
    }

    // MARK: Its output

    /// The next line without its line feed, or nil at the end of the stream.
    func readLine(_ stream: Stream = .output, within limit: Duration = patience) throws -> String? {
        let deadline = Deadline(after: limit)
        while true {
            let line = stream == .output ? output.takeLine() : errors.takeLine()
            if let line { return line }
            let hasEnded = stream == .output ? output.hasEnded : errors.hasEnded
            if hasEnded { return stream == .output ? output.takeRest() : errors.takeRest() }
            try pump(until: deadline, awaiting: "a line of \(stream)")
        }
    }

    /// Reads lines up to the first that contains `part`, and returns that one.
    @discardableResult
    func readLine(
        containing part: String,
        from stream: Stream = .output,
        within limit: Duration = patience
    ) throws -> String {
        let deadline = Deadline(after: limit)
        var passed: [String] = []
        while let line = try readLine(stream, within: deadline.remaining) {
            if line.contains(part) { return line }
            passed.append(line)
        }
        throw ProcessError(description: "\(stream) ended without a line containing \(part): \(passed)")
    }

    /// Waits until the output has that text, and returns everything up to it.
    @discardableResult
    func readText(containing part: String, within limit: Duration = patience) throws -> String {
        let deadline = Deadline(after: limit)
        while true {
            if let text = output.takeText(through: part) { return text }
            guard !output.hasEnded else { throw failure("\(output.textSoFar) ended without \(part)") }
            try pump(until: deadline, awaiting: part)
        }
    }

    // MARK: Its end

    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits for its end. Returns its status and its unread output.
    func finish(within limit: Duration = patience) throws -> Finished {
        let deadline = Deadline(after: limit)
        while !(output.hasEnded && errors.hasEnded && life.hasEnded) {
            try pump(until: deadline, awaiting: "the end of the process")
        }
        return Finished(
            status: status(),
            output: output.takeRest() ?? "",
            errors: errors.takeRest() ?? ""
        )
    }

    /// Waits for its end, and reads any amount of output meanwhile.
    @discardableResult
    func wait(within limit: Duration = patience) throws -> ExitStatus {
        let deadline = Deadline(after: limit)
        while !life.hasEnded { try pump(until: deadline, awaiting: "the end of the process") }
        return status()
    }

    private func status() -> ExitStatus {
        if let ended { return ended }
        var raw: Int32 = 0
        while unsafe waitpid(pid, &raw, 0) < 0, errno == EINTR {}
        let status = raw & 0x7F == 0 ? ExitStatus.exited(raw >> 8 & 0xFF) : .signalled(raw & 0x7F)
        ended = status
        return status
    }

    /// Reads available input of any pipe, and waits for it until `deadline`.
    private func pump(until deadline: Deadline, awaiting wanted: String) throws {
        var entries = [output, errors, life].map { Deadline.entry($0.hasEnded ? -1 : $0.descriptor) }
        guard deadline.waitForInput(&entries) else {
            let soFar = output.textSoFar + errors.textSoFar
            throw failure("\(wanted) did not come in time; so far came: \(soFar)")
        }
        if entries[0].revents != 0 { output.read() }
        if entries[1].revents != 0 { errors.read() }
        if entries[2].revents != 0 { life.read() }
    }

    private func failure(_ what: String) -> ProcessError {
        ProcessError(description: "process \(pid): \(what)")
    }
}

/// The input of one pipe, and how much of it was consumed.
private struct PipeReader {
    let descriptor: Int32
    private(set) var hasEnded = false
    private var bytes: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    var textSoFar: String { String(decoding: bytes, as: UTF8.self) }

    mutating func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { return }
        if count <= 0 { hasEnded = true } else { bytes += buffer[..<count] }
    }

    /// Closes the reading end but keeps its number in use, so that no other file gets it.
    mutating func end() {
        let nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        _ = dup2(nothing, descriptor)
        close(nothing)
        hasEnded = true
    }

    mutating func takeLine() -> String? {
        guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    mutating func takeText(through part: String) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let range = text.firstRange(of: part) else { return nil }
        let taken = text[..<range.upperBound]
        bytes.removeFirst(taken.utf8.count)
        return String(taken)
    }

    mutating func takeRest() -> String? {
        guard !bytes.isEmpty else { return nil }
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
