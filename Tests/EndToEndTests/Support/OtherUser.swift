// SPDX-License-Identifier: MIT
// Runs a closure as another user of the machine.

import Glibc

/// On Linux each thread has its own credentials. The system calls change one thread's, glibc's functions those of all
/// threads. A socket's peer sees the credentials of the thread that connects. So one process can act as several users
/// at once.
enum OtherUser {
    /// Whether this process may act as another user.
    static var isPossible: Bool { geteuid() == 0 }

    /// Runs `body` on a new thread as that user.
    static func run<R>(
        uid: UInt32,
        gid: UInt32,
        groups: [UInt32] = [],
        _ body: @escaping () throws -> R
    ) throws -> R {
        let errand = Errand {
            try become(uid, gid, groups)
            return try body()
        }
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(errand as AnyErrand).toOpaque()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<AnyErrand>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context
        )
        guard code == 0 else { throw ProcessError(description: "no thread: errno \(code)") }
        pthread_join(thread, nil)
        guard let result = errand.result else { throw ProcessError(description: "the thread did nothing") }
        return try result.get()
    }

    private class AnyErrand {
        func run() {}
    }

    private final class Errand<R>: AnyErrand {
        private let body: () throws -> R
        private(set) var result: Result<R, any Error>?

        init(_ body: @escaping () throws -> R) { self.body = body }

        override func run() { result = Result(catching: body) }
    }

    private typealias SystemCall = @convention(c) (Int, Int, Int, Int) -> Int

    #if arch(x86_64)
        private static let numbers = (setgroups: 116, setresgid: 119, setresuid: 117)
    #else
        private static let numbers = (setgroups: 159, setresgid: 149, setresuid: 147)
    #endif

    private static func become(_ uid: UInt32, _ gid: UInt32, _ groups: [UInt32]) throws {
        guard let symbol = unsafe dlsym(nil, "syscall") else {
            throw ProcessError(description: "syscall(2) is missing")
        }
        let call = unsafe unsafeBitCast(symbol, to: SystemCall.self)
        let hasGroups = unsafe groups.withUnsafeBufferPointer {
            call(numbers.setgroups, $0.count, Int(bitPattern: $0.baseAddress), 0)
        }
        let (user, group) = (Int(uid), Int(gid))
        guard hasGroups == 0, call(numbers.setresgid, group, group, group) == 0,
            call(numbers.setresuid, user, user, user) == 0
        else { throw ProcessError(description: "this thread can't be user \(uid): errno \(errno)") }
    }
}
