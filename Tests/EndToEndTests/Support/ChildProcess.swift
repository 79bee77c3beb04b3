// SPDX-License-Identifier: MIT
// Starts a program on pipes, talks to it and waits for its end. Does not know which program it is.

import Glibc

/// How a process ended.
enum ExitStatus: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)
}

/// What a program that ran to its end had to say.
struct Finished: Equatable, Sendable {
    var status: ExitStatus
    var output: String
    var errors: String
}

/// A wait that took longer than anything should, or a call that failed.
struct ProcessError: Error, CustomStringConvertible {
    let description: String
}

/// A running program, its three standard streams being pipes to us.
///
/// - Lifetime: freeing it kills the program and takes its status away.
/// - Threading: one test's own.
/// - Order: while it waits for one stream, it reads the other too, so that the program never stands still because
///   nobody takes what it says.
final class ChildProcess {
    enum Stream {
        case output
        case errors
    }

    /// How long a wait may take before the test has failed. Nothing ever waits that long when all is well.
    static let patience = Duration.seconds(30)

    let pid: pid_t
    private var input: Int32
    private var output: PipeReader
    private var errors: PipeReader
    /// Readable once the program and all that it started have ended: each of them holds the other end.
    private var life: PipeReader
    private var ended: ExitStatus?

    /// Starts `program`, found along `$PATH` if its name has no slash.
    ///
    /// - `environment`: all that it gets beside `$PATH`.
    init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        ignoreBrokenPipes()
        let started = try Spawn.start(program, arguments, environment)
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

    /// Ends its standard input. Harmless when done twice.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Stops reading a stream, as a reader that goes away does.
    func closeStream(_ stream: Stream) {
        switch stream {
        case .output: output.end()
        case .errors: errors.end()
        }
    }

    // MARK: What it says

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

    // MARK: Its end

    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits until it has ended, and returns how and what it said that was not yet read.
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

    /// Waits until it has ended, however much it still has to say.
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

    /// Takes what has come on any pipe, after waiting for it until `deadline`.
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

/// What has come out of one pipe, and what of it was taken.
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

    /// Closes the reading end but keeps its number taken, so that nothing else is read by mistake.
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

    mutating func takeRest() -> String? {
        guard !bytes.isEmpty else { return nil }
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
