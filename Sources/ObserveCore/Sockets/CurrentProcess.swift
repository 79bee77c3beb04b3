// SPDX-License-Identifier: MIT
// Arguments, exit status and death by a signal of the current process.

internal import CLinux

package enum CurrentProcess {
    /// Ends the process with that status if `/proc` is not mounted: Swift would find no arguments, and the program not itself.
    package static func requireProc(of program: String, elseExit status: Int32) {
        if unsafe access("/proc/self/cmdline", R_OK) == 0 { return }
        StandardStreams.ofProcess.report("\(program): /proc is not mounted, and \(program) needs it")
        exit(status)
    }

    /// The arguments after the program's name; nil if one of them is not UTF-8, which Swift would silently repair.
    package static var arguments: [String]? {
        var arguments: [String] = []
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let start = unsafe CommandLine.unsafeArgv[index] else { break }
            guard let argument = unsafe String(validatingCString: start) else { return nil }
            arguments.append(argument)
        }
        return arguments
    }

    package static let brokenPipe = SIGPIPE
    package static let hangup = SIGHUP
    package static let interruption = SIGINT
    package static let termination = SIGTERM
    package static let kill = SIGKILL
    package static let userSignals = [SIGUSR1, SIGUSR2]
    /// The signals of a terminal, a user, a closed pipe and the system that end a process.
    package static let endingSignals = [SIGHUP, SIGINT, SIGPIPE, SIGTERM]

    package static func exit(_ status: Int32) -> Never { CLinux.exit(status) }

    /// Ends the process by that signal, with its default action. A shell then sees 128 + `number` and ends its own loop as well.
    package static func die(by number: Int32) -> Never {
        linux_signal_default(number)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        _ = raise(number)
        // Reached only if the default action of the signal does not end the process.
        CLinux.exit(128 + number)
    }
}
