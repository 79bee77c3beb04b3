// SPDX-License-Identifier: MIT
// A command that runs as a child of this process and dies with it. Independent of the command.

internal import CLinux

/// - Lifetime: the kernel kills the command if this process ends, however it ends. Freeing it kills the command too.
///   Children of the command are its own.
/// - Errors: `SocketError.systemCall`, with the `errno` of a command that can't be executed.
/// - Threading: confined to its owner, whose thread must outlive the command.
package final class ChildProcess {
    package enum End: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    private let pid: pid_t
    private let isAlone: Bool
    private let descriptor: FileDescriptor
    private var ended: End?

    /// Starts a command, which `$PATH` finds if its name has no slash.
    /// - Parameter streams: its standard streams; those of this process in the place of negative or missing ones.
    /// - Parameter isAlone: whether it leads a group of processes, which are killed with it. Then it is not searched.
    /// - Parameter variables: the variables that it has instead of or besides those of this process; nil removes one.
    package init(
        _ words: [String],
        streams: [Int32] = [],
        isAlone: Bool = false,
        variables: [String: String?] = [:]
    ) throws(SocketError) {
        let program = words.first ?? ""
        var failure = try Pipe()
        let arguments = CStrings(words)
        let environment = CStrings(ChildProcess.environment(with: variables))
        let child = try Syscall.check("vfork", program) {
            unsafe linux_start(
                program,
                arguments.pointers,
                environment.pointers,
                streams + [Int32](repeating: -1, count: 3 - streams.count),
                isAlone ? 1 : 0,
                failure.writing.number
            )
        }
        pid = pid_t(child)
        self.isAlone = isAlone
        failure.writing.close()
        do throws(SocketError) {
            let child = pid
            descriptor = try Syscall.open("pidfd_open") { linux_child_descriptor(child) }
        } catch {
            ChildProcess.kill(pid, isAlone: false)
            throw error
        }
        let (_, bytes) = ByteIO.read(failure.reading.number, limitBytes: 4)
        guard bytes.count < 4 else {
            let code = bytes.reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
            throw .systemCall("exec", path: program, code: code)
        }
    }

    deinit { if ended == nil { ChildProcess.kill(pid, isAlone: isAlone) } }

    private static func kill(_ child: pid_t, isAlone: Bool) {
        _ = CLinux.kill(isAlone ? -child : child, SIGKILL)
        var raw: Int32 = 0
        _ = Syscall.run { unsafe waitpid(child, &raw, 0) }
    }

    /// Readable once the command has ended.
    package var number: Int32 { descriptor.number }

    /// Sends a signal, unless the command has ended.
    package func signal(_ number: Int32) { if ended == nil { _ = CLinux.kill(pid, number) } }

    /// Nil while it runs.
    package func end() -> End? {
        if let ended { return ended }
        var raw: Int32 = 0
        guard Syscall.run({ unsafe waitpid(pid, &raw, WNOHANG) }).value > 0 else { return nil }
        let end = raw & 0x7F == 0 ? End.exited(raw >> 8 & 0xFF) : .signalled(raw & 0x7F)
        ended = end
        return end
    }

    /// Variables of this process that are not UTF-8 text are passed on as they are.
    private static func environment(with variables: [String: String?]) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var index = 0
        while let entry = unsafe linux_environment()[index] {
            index += 1
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
            let name = String(decoding: bytes.prefix { $0 != 0x3D }, as: UTF8.self)
            if variables[name] == nil { entries.append(bytes) }
        }
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            if let value { entries.append(Array("\(name)=\(value)".utf8)) }
        }
        return entries
    }
}

extension SocketError {
    package var isMissingProgram: Bool {
        if case .systemCall("exec", _, ENOENT) = self { true } else { false }
    }

    package var isFailedExecution: Bool { if case .systemCall("exec", _, _) = self { true } else { false } }
}

/// Words as C has them, with a null at the end.
@safe final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    convenience init(_ words: [String]) { self.init(words.map { Array($0.utf8) }) }

    init(_ words: [[UInt8]]) {
        count = words.count
        unsafe pointers = .allocate(capacity: words.count + 1)
        for (index, word) in words.enumerated() {
            unsafe pointers[index] = strdup((word + [0]).map { CChar(bitPattern: $0) })
        }
        unsafe pointers[words.count] = nil
    }

    deinit {
        for index in 0..<count { unsafe free(pointers[index]) }
        unsafe pointers.deallocate()
    }
}

/// A pipe between this process and a child. Both ends close when another program starts.
struct Pipe: ~Copyable {
    let reading: FileDescriptor
    var writing: FileDescriptor

    init() throws(SocketError) {
        var ends: [Int32] = [-1, -1]
        try Syscall.check("pipe2") { unsafe pipe2(&ends, O_CLOEXEC) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }
}
