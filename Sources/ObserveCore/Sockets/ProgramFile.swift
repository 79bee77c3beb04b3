// SPDX-License-Identifier: MIT
// The program file of this process: running it as a child, and replacing the process by it. Independent of its purpose.

internal import CLinux

package struct ProgramRun: Equatable, Sendable {
    /// The exit status; nil if a signal ended it.
    package let status: Int32?
    package let output: String
    package let errors: String
    package let isTimedOut: Bool
}

extension ProgramRun {
    /// Runs a command to its end, and kills it and its children at the deadline. Keeps 16 KiB of its output and of its
    /// errors. Blocks the calling thread.
    ///
    /// - Parameter words: the path of the program, and its arguments.
    /// - Parameter input: its standard input, read from the beginning.
    /// - Parameter stop: ends the program earlier when it is signalled.
    package static func of(
        _ words: [String],
        input: borrowing MemoryFile,
        until deadline: MonotonicTime,
        stop: EventCounter
    ) throws(SocketError) -> ProgramRun {
        var output = try Pipe()
        var errors = try Pipe()
        let streams = [input.number, output.writing.number, errors.writing.number]
        let child = try ChildProcess(words, streams: streams, isAlone: true)
        output.writing.close()
        errors.writing.close()
        let descriptors = [output.reading.number, errors.reading.number, child.number]
        var texts: [[UInt8]] = [[], []]
        var isOpen = [true, true, true]
        var isTimedOut = false
        while isOpen.contains(true), !isTimedOut {
            let wanted = descriptors.enumerated()
                .map { (descriptor: isOpen[$0] ? $1 : -1, events: PollEvents.readable) }
            let ready = Poll.wait(for: wanted + [(stop.number, .readable)], until: deadline)
            isTimedOut = deadline <= .now || !ready[3].isEmpty
            for (index, events) in ready.prefix(2).enumerated() where isOpen[index] && !events.isEmpty {
                let piece = ByteIO.read(wanted[index].descriptor, limitBytes: 4096)
                if case .bytes = piece.result {
                    texts[index] += piece.bytes.prefix((16 << 10) - texts[index].count)
                } else {
                    isOpen[index] = false
                }
            }
            if !ready[2].isEmpty { isOpen[2] = false }
        }
        var status: Int32?
        if !isTimedOut, case .exited(let number) = child.end() { status = number }
        let said = texts.map { String(decoding: $0, as: UTF8.self) }
        return ProgramRun(status: status, output: said[0], errors: said[1], isTimedOut: isTimedOut)
    }
}

/// - Errors: `SocketError.systemCall`.
/// - Threading: any thread, except ``replaceProcess(arguments:passing:)``, which ends all others.
package enum ProgramFile {
    /// The path that started this process. A link in it is followed anew each time, so it may lead to a newer file.
    package static let path: String = {
        // Zero if the kernel does not say.
        let executed = unsafe UnsafePointer<CChar>(bitPattern: getauxval(UInt(AT_EXECFN)))
        var started = unsafe executed.map { unsafe String(cString: $0) } ?? ""
        // The former program of this process passes its path as the first word.
        if started == presentProgram, let word = unsafe CommandLine.unsafeArgv[0], unsafe word[0] == 0x2F {
            started = unsafe String(cString: word)
        }
        let isPath = started.utf8.contains(0x2F) && !started.hasPrefix("/dev/fd/")
        if isPath, !started.hasPrefix("/proc/") {
            return started.hasPrefix("/") ? started : "\(linkTarget("/proc/self/cwd"))/\(started)"
        }
        return linkTarget(presentProgram)
    }()

    private static let presentProgram = "/proc/self/exe"

    private static func linkTarget(_ link: String) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &bytes, bytes.count)
        let path = String(decoding: bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The kernel marks a file that was replaced.
        return path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path
    }

    /// Replaces this process by the program, with the same number, folder and environment. Signals wait meanwhile. If the file
    /// can't be executed, the process's present program starts again.
    ///
    /// - Parameter descriptors: the new program has them as 3, 4, and so on: a dozen at most.
    /// - Parameter isSame: whether it is the program that runs now, whatever is installed.
    /// - Returns: only if neither can be executed.
    package static func replaceProcess(
        arguments: [String],
        passing descriptors: [Int32],
        isSame: Bool = false
    ) -> SocketError {
        linux_signals_block()
        let words = CStrings([path] + arguments)
        let path = isSame ? presentProgram : path
        var numbers = descriptors
        let call = Syscall.run { unsafe linux_replace(path, words.pointers, &numbers, Int32(numbers.count)) }
        return .systemCall("execve", path: path, code: call.code)
    }
}

/// A file in memory. It lasts as long as a descriptor of it.
package struct MemoryFile: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    package var number: Int32 { descriptor.number }

    package init(_ bytes: [UInt8], name: String) throws(SocketError) {
        // MFD_CLOEXEC
        let file = try Syscall.open("memfd_create") { unsafe memfd_create(name, 1) }
        let code = ByteIO.writeAll(file.number, bytes)
        if code != 0 { throw .systemCall("write", path: "a file in memory", code: code) }
        // A child shares the position.
        _ = lseek(file.number, 0, SEEK_SET)
        descriptor = file
    }

    /// Reads all of standard input, which must be a file.
    package static func readInput() throws(SocketError) -> [UInt8] {
        var input = try FileDescriptor.duplicate(STDIN_FILENO)
        return try read(consuming: input.release(), "standard input")
    }

    /// Reads all of a passed file, and closes it. Refuses a pipe, which may never end.
    package static func read(consuming number: Int32, _ name: String) throws(SocketError) -> [UInt8] {
        let file = FileDescriptor(owning: number)
        guard FileStatus.of(descriptor: number)?.isFile == true else { throw .notAFile(name) }
        _ = lseek(file.number, 0, SEEK_SET)
        return try ByteIO.readAll(file.number, name)
    }
}
