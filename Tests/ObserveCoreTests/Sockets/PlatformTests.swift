// SPDX-License-Identifier: MIT
// Files, folders, limits and standard error, on the real system.

import Glibc
import ObserveCore
import TestSupport
import Testing

struct PlatformTests {
    @Test(arguments: [(0, 0), (5, 5), (5, 100), (200_000, 200_000)])
    func `a file within the limit is read completely`(size: Int, limit: Int) throws {
        try withFolder { folder in
            let text = String(repeating: "z", count: size)
            try makeFile(folder + "/f", text)
            #expect(try Platform.readFile(folder + "/f", limitBytes: limit) == Array(text.utf8))
        }
    }

    @Test(arguments: [(1, 0), (6, 5), (200_000, 199_999)])
    func `a larger file is refused`(size: Int, limit: Int) throws {
        try withFolder { folder in
            try makeFile(folder + "/f", String(repeating: "z", count: size))
            #expect(throws: SocketError.fileTooLarge(folder + "/f", limitBytes: limit)) {
                try Platform.readFile(folder + "/f", limitBytes: limit)
            }
        }
    }

    @Test func `an endless file stops at the limit`() {
        #expect(throws: SocketError.fileTooLarge("/dev/zero", limitBytes: 1000)) {
            try Platform.readFile("/dev/zero", limitBytes: 1000)
        }
    }

    @Test func `a pipe, a folder or a device is refused if a file is demanded`() throws {
        try withFolder { folder in
            #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
            for path in [folder, folder + "/pipe", "/dev/zero"] {
                #expect(throws: SocketError.notAFile(path)) {
                    try Platform.readFile(path, limitBytes: 1000, mustBeFile: true)
                }
            }
            #expect(throws: SocketError.fileMissing(folder + "/no")) {
                try Platform.readFile(folder + "/no", limitBytes: 1, mustBeFile: true)
            }
        }
    }

    @Test func `a pipe or a folder is never replaced`() throws {
        try withFolder { folder in
            #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
            for path in [folder, folder + "/pipe"] {
                #expect(throws: SocketError.notAFile(path)) { try Platform.replaceFile(path, [0x61]) }
            }
        }
    }

    @Test func `a pipe without another end, and an endless file, wait no longer than the deadline`() throws {
        try withFolder { folder in
            let path = folder + "/pipe"
            #expect(unsafe mkfifo(path, 0o600) == 0)
            for path in [path, "/dev/zero"] {
                #expect(throws: SocketError.timedOut(path)) {
                    try Platform.readFile(path, limitBytes: .max, until: .now)
                }
            }
        }
    }

    @Test func `an unreadable file is named`() throws {
        try withFolder { folder in
            #expect(throws: SocketError.fileMissing(folder + "/no")) {
                try Platform.readFile(folder + "/no", limitBytes: 1)
            }
            #expect(throws: SocketError.systemCall("read", path: folder, code: EISDIR)) {
                try Platform.readFile(folder, limitBytes: 1)
            }
            #expect(throws: SocketError.pathHasZeroByte("a\0")) {
                try Platform.readFile("a\0", limitBytes: 1)
            }
        }
    }

    @Test func `folders are created with their parents, and existing ones do not change`() throws {
        try withFolder { folder in
            try Platform.makeFolder(folder + "/a/b/c")
            for made in ["/a", "/a/b", "/a/b/c"] { #expect(permissions(folder + made) == 0o700) }
            try #require(unsafe chmod(folder + "/a", 0o755) == 0)
            try Platform.makeFolder(folder + "/a")
            #expect(permissions(folder + "/a") == 0o755)
            try makeFile(folder + "/file")
            #expect(throws: SocketError.notAFolder(folder + "/file")) {
                try Platform.makeFolder(folder + "/file")
            }
            try #require(unsafe symlink("gone", folder + "/link") == 0)
            #expect(throws: SocketError.notAFolder(folder + "/link")) {
                try Platform.makeFolder(folder + "/link")
            }
        }
    }

    @Test(arguments: ["/proc/observed", "/proc/observed/a/b"])
    func `a folder that can't be made although the one above exists is an error`(_ path: String) {
        #expect(throws: SocketError.self) { try Platform.makeFolder(path) }
    }

    @Test(arguments: [("a/b", "a"), ("b", "."), ("/b", "/"), ("/a/b", "/a"), ("/é/b", "/é"), ("a/", "a")])
    func `a path's folder`(_ path: String, _ folder: String) {
        #expect(Path.folder(of: path) == folder)
    }

    @Test func `removing a folder removes its contents and follows no link`() throws {
        try withFolder { outside in
            try makeFile(outside + "/kept")
            let folder = try TemporaryFolder.make(prefix: "observed-test-")
            #expect(permissions(folder.path) == 0o700)
            try Platform.makeFolder(folder.path + "/a/b")
            try makeFile(folder.path + "/a/b/file")
            try #require(unsafe symlink(outside, folder.path + "/a/link") == 0)
            let listener = try UnixListener.listen(path: folder.path + "/a/socket")
            folder.removeAll()
            #expect(!exists(folder.path))
            #expect(try names(in: outside) == ["kept"])
            listener.close()
            folder.removeAll()
        }
    }

    @Test func `freeing a temporary folder removes it, and names are unique`() throws {
        var folders = try (0..<2).map { _ in try TemporaryFolder.make(prefix: "observed-test-") }
        let paths = folders.map(\.path)
        #expect(Set(paths).count == 2)
        for path in paths { #expect(exists(path)) }
        folders.removeAll()
        for path in paths { #expect(!exists(path)) }
        #expect(throws: SocketError.systemCall("mkdtemp", path: "/nowhere/t-", code: ENOENT)) {
            _ = try TemporaryFolder.make(prefix: "t-", in: "/nowhere")
        }
    }

    @Test(.startsProcess) func `the environment is read, empty values included`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("OBSERVED_TEST", "", 1)
            try #require(Platform.environment("OBSERVED_TEST") == "")
            unsafe setenv("OBSERVED_TEST", "é=1", 1)
            try #require(Platform.environment("OBSERVED_TEST") == "é=1")
            unsafe unsetenv("OBSERVED_TEST")
            try #require(Platform.environment("OBSERVED_TEST") == nil)
        }
    }

    @Test(.startsProcess) func `the descriptor limit rises to the hard limit`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 64, rlim_max: 200)
            try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            try #require(Platform.raiseDescriptorLimit() == 200)
            try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            try #require(limit.rlim_cur == 200)
        }
    }

    @Test func `users and groups have numbers`() {
        #expect(Platform.uid(named: "root") == 0)
        #expect(Platform.gid(named: "root") == 0)
        #expect(Platform.uid(named: "no such name") == nil)
        #expect(Platform.gid(named: "no such name") == nil)
    }

    @Test func `a peer's groups are the process's own`() throws {
        let pair = try SocketPair()
        var own = [gid_t](repeating: 0, count: 65_536)
        let count = Int(unsafe getgroups(Int32(own.count), &own))
        #expect(try UnixSocket.peerGroups(pair.first.number).sorted() == own.prefix(count).sorted())
    }
}

struct StandardErrorTests {
    @Test(.startsProcess) func `without a journal the log writes lines without priorities`() async throws {
        let result = try await #require(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            unsafe setenv("JOURNAL_STREAM", "1:1", 1)
            let log = Log()
            log.openStandardError(threshold: .info, name: "observed")
            log.info("listening")
            log.debug("unseen")
            log.error("no\nluck")
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("observed: listening\nobserved: error: no\\nluck\n"))
        #expect(!text.contains("unseen"))
    }

    @Test(.startsProcess) func `with a journal the log writes priorities`() async throws {
        let result = try await #require(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            var status = stat()
            try #require(unsafe fstat(STDERR_FILENO, &status) == 0)
            unsafe setenv("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino)", 1)
            try #require(StandardError.isJournal)
            let log = Log()
            log.openStandardError(threshold: .debug, name: "observed")
            log.warning("careful")
            log.debug("detail")
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("<4>careful\n<7>detail\n"))
    }

    @Test(arguments: ["", ":", "1", "1:1", "x:y", "-1:-1", "1:1:1"])
    func `another stream is not the journal`(_ stream: String) throws {
        let pair = try SocketPair()
        #expect(!StandardError.isStream(stream, pair.first.number))
        #expect(!StandardError.isStream(stream, -1))
    }
}
