// SPDX-License-Identifier: MIT
// How a program begins and ends: its arguments, its exit status, its death by a signal. Does not know which it is.

internal import Glibc

package enum CurrentProcess {
    /// The words after the program's name; nil if one of them is not UTF-8, which Swift would silently repair.
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
    /// The signals by which a terminal, a person, a reader that left or the system ends a process.
    package static let endingSignals = [SIGHUP, SIGINT, SIGPIPE, SIGTERM]

    package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

    /// Ends the process by that very signal, whatever it did about it before. A shell then sees 128 + `number`, and
    /// knows that its own loop was meant to end as well.
    package static func die(by number: Int32) -> Never {
        _ = signal(number, SIG_DFL)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        _ = raise(number)
        // Only a signal that does not end a process by default comes here.
        Glibc.exit(128 + number)
    }
}
