// SPDX-License-Identifier: MIT
// Which folders and files the daemon trusts, and whose locks count.

import Glibc
import ObserveCore
import Testing

struct StateFolderTests {
    /// The lock of another process on a folder or file.
    private func lock(_ path: String) throws -> Int32 {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        try #require(number >= 0)
        try #require(flock(number, LOCK_EX | LOCK_NB) == 0)
        return number
    }

    @Test(arguments: [(0o700, true), (0o755, true), (0o720, false), (0o702, false), (0o1777, false)])
    func `a folder that others can write is refused with its mode`(mode: mode_t, isTrusted: Bool) throws {
        try withFolder { folder in
            let state = "\(folder)/state"
            try Platform.makeFolder(state)
            try #require(unsafe chmod(state, mode) == 0)
            if isTrusted {
                _ = try StateFolder.open(state)
                #expect(permissions(state) == 0o700)
                #expect(permissions("\(state)/lock") == 0o600)
            } else {
                let error = SocketError.folderWritableByOthers(state, mode: mode)
                #expect(throws: error) { _ = try StateFolder.open(state) }
                #expect(throws: error) { _ = try StateFolder.copy(state) { _ in true } }
                #expect("\(error)".contains(String(mode, radix: 8)))
                #expect(permissions(state) == mode)
            }
        }
    }

    @Test func `a copy has the errors of a start, and makes nothing`() throws {
        try withFolder { folder in
            #expect(try StateFolder.copy("\(folder)/a/b") { _ in true }.isEmpty)
            #expect(unsafe access("\(folder)/a", F_OK) != 0)
            try makeFile("\(folder)/file")
            try #require(unsafe symlink("nowhere", "\(folder)/link") == 0)
            for path in ["/proc/x", "/proc/x/y", "\(folder)/file", "\(folder)/file/a", "\(folder)/link"] {
                let error = try #require(throws: SocketError.self) { _ = try StateFolder.open(path) }
                #expect(throws: error, "\(path)") { _ = try StateFolder.copy(path) { _ in true } }
            }
        }
    }

    @Test func `only one daemon uses a folder at a time`() throws {
        try withFolder { folder in
            let state = "\(folder)/state"
            let first = try StateFolder.open(state)
            #expect(throws: SocketError.stateInUse(state)) { _ = try StateFolder.open(state) }
            withExtendedLifetime(first) {}
        }
        try withFolder { folder in
            _ = try StateFolder.open("\(folder)/state")
            _ = try StateFolder.open("\(folder)/state")
        }
    }

    @Test func `the lock of a process that may only read keeps no daemon from starting`() throws {
        try withFolder { folder in
            let state = "\(folder)/state"
            try Platform.makeFolder(state)
            try #require(unsafe chmod(state, 0o755) == 0)
            try makeFile("\(state)/lock")
            let locks = [try lock(state), try lock("\(state)/lock")]
            defer { for number in locks { close(number) } }
            let first = try StateFolder.open(state)
            #expect(permissions("\(state)/lock") == 0o600)
            #expect(throws: SocketError.stateInUse(state)) { _ = try StateFolder.open(state) }
            withExtendedLifetime(first) {}
        }
    }

    @Test(arguments: [(0o755, true), (0o700, false)])
    func `a lock on the socket's folder counts if others can't open it`(mode: mode_t, starts: Bool) throws {
        try withFolder { folder in
            let own = "\(folder)/own"
            try Platform.makeFolder(own)
            try #require(unsafe chmod(own, mode) == 0)
            let number = try lock(own)
            defer { close(number) }
            if starts {
                _ = try UnixListener.listen(path: "\(own)/s", lockAttempts: 2)
            } else {
                #expect(throws: SocketError.folderBusy(own)) {
                    _ = try UnixListener.listen(path: "\(own)/s", lockAttempts: 2)
                }
            }
        }
    }

    @Test(arguments: [(0o644, true), (0o600, true), (0o664, false), (0o646, false)])
    func `a guarded file that others can write is refused with its mode`(mode: mode_t, isTrusted: Bool) throws
    {
        try withFolder { folder in
            let file = "\(folder)/observed.json"
            try makeFile(file, "{}")
            try #require(unsafe chmod(file, mode) == 0)
            #expect(try Platform.readFile(file, limitBytes: 10) == Array("{}".utf8))
            let read = { try Platform.readFile(file, limitBytes: 10, refusesSharedWriting: true) }
            if isTrusted {
                #expect(try read() == Array("{}".utf8))
            } else {
                #expect(throws: SocketError.fileWritableByOthers(file, mode: mode)) { _ = try read() }
            }
        }
    }
}
