// SPDX-License-Identifier: MIT
// posix_spawn(3) with pipes for all three streams. Independent of the program.

import CLinux
import Glibc
import Synchronization

/// The parent's ends of a new program's pipes.
struct Spawn {
    let pid: pid_t
    let input: Int32
    let output: Int32
    let errors: Int32
    /// The reading end of a pipe whose writing end only the program and its children hold.
    let life: Int32

    /// Locked from creating the pipes until the program's ends are closed. Otherwise another test's program could
    /// inherit them, and the pipes would never end.
    private static let isSpawning = Mutex(())

    static func start(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String],
        _ inherited: Inherited = Inherited()
    ) throws -> Spawn {
        try isSpawning.withLock { _ in
            let pipes = [try makePipe(), try makePipe(), try makePipe(), try makePipe()]
            let theirs = [pipes[0].reading, pipes[1].writing, pipes[2].writing, pipes[3].writing]
            let streams = theirs.prefix(3) + inherited.descriptors + theirs.suffix(1)
            let ours = [pipes[0].writing, pipes[1].reading, pipes[2].reading, pipes[3].reading]
            defer { theirs.forEach { _ = close($0) } }
            do {
                let pid = try spawn(program, arguments, environment, Array(streams), inherited.blocked)
                return Spawn(pid: pid, input: ours[0], output: ours[1], errors: ours[2], life: ours[3])
            } catch {
                ours.forEach { _ = close($0) }
                throw error
            }
        }
    }

    private static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        // The pipes close on exec from the start: exit tests start processes too, without this lock.
        guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else {
            throw ProcessError(description: "pipe2 failed: errno \(errno)")
        }
        return (ends[0], ends[1])
    }

    /// Starts the program with `streams` as its descriptors from 0 on, and with the default signal handling. The
    /// program does not inherit the signals that the test process ignores or blocks.
    private static func spawn(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String],
        _ streams: [Int32],
        _ blocked: [Int32]
    ) throws -> pid_t {
        // High numbers, so that none is the target of another.
        let sources = streams.map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
        defer { for source in sources { close(source) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in sources.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        for number in blocked { unsafe sigaddset(&signals, number) }
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        unsafe posix_spawnattr_setflags(&attributes, flags)

        var variables = environment
        for name in ["PATH", "LD_LIBRARY_PATH", "TSAN_OPTIONS"] where variables[name] == nil {
            variables[name] = variable(name)
        }
        var pid: pid_t = 0
        let code = unsafe withCStrings([program] + arguments) { argv in
            unsafe withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
                unsafe posix_spawnp(&pid, program, &actions, &attributes, argv, envp)
            }
        }
        guard code == 0 else {
            throw ProcessError(description: "\(program) cannot be started: errno \(code)")
        }
        return pid
    }
}

/// The things that a program gets from the process that starts it.
struct Inherited {
    /// Descriptors, which get the numbers from 3 on.
    var descriptors: [Int32] = []
    /// Signals.
    var blocked: [Int32] = []
}

/// The test process's value of an environment variable.
func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}

/// Lets a write to a program that has ended fail instead of ending the tests.
func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

/// Passes `texts` as the null-terminated list that exec functions need.
private func withCStrings<R>(
    _ texts: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(&pointers)
}
