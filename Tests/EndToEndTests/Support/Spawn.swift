// SPDX-License-Identifier: MIT
// posix_spawn(3) with pipes for all three streams. Does not know what the program is for.

import CLinux
import Glibc
import Synchronization

/// The parent's ends of a program that was just started.
struct Spawn {
    let pid: pid_t
    let input: Int32
    let output: Int32
    let errors: Int32
    /// The reading end of a pipe whose writing end only the program, and what it starts, hold.
    let life: Int32

    /// Held from making pipes to closing the program's ends: another program started meanwhile by another test
    /// would inherit them, and no end of file would ever come.
    private static let isSpawning = Mutex(())

    static func start(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) throws -> Spawn {
        try isSpawning.withLock { _ in
            let pipes = [try makePipe(), try makePipe(), try makePipe(), try makePipe()]
            let theirs = [pipes[0].reading, pipes[1].writing, pipes[2].writing, pipes[3].writing]
            let ours = [pipes[0].writing, pipes[1].reading, pipes[2].reading, pipes[3].reading]
            defer { theirs.forEach { _ = close($0) } }
            do {
                let pid = try spawn(program, arguments, environment, streams: theirs)
                return Spawn(pid: pid, input: ours[0], output: ours[1], errors: ours[2], life: ours[3])
            } catch {
                ours.forEach { _ = close($0) }
                throw error
            }
        }
    }

    private static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        // Closed on exec from the first moment on: exit tests start processes too, and know nothing of the lock.
        guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else {
            throw ProcessError(description: "pipe2 failed: errno \(errno)")
        }
        return (ends[0], ends[1])
    }

    /// Starts the program with `streams` as its descriptors 0, 1, 2 and 3, and every signal as a shell would
    /// leave it: what the test process ignores or blocks is not the program's business.
    private static func spawn(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String],
        streams: [Int32]
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        unsafe posix_spawnattr_setflags(&attributes, flags)

        var variables = environment
        for name in ["PATH", "LD_LIBRARY_PATH"] where variables[name] == nil {
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

/// The test process's own value of an environment variable.
func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}

/// Lets a write to a program that has ended fail instead of ending the tests.
func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

/// Lends `texts` as the null-terminated list that exec functions take.
private func withCStrings<R>(
    _ texts: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(&pointers)
}
