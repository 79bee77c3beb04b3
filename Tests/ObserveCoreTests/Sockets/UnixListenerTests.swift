// SPDX-License-Identifier: MIT
// Which listener gets a path, and its cleanup.

import Dispatch
import Glibc
import Synchronization
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15)))
struct UnixListenerTests {
    @Test func `a client reaches the listener, and each knows the other's credentials`() throws {
        try withFolder { folder in
            let listener = try UnixListener.listen(path: folder + "/s")
            let client = try UnixSocket.connect(path: folder + "/s")
            let server = try listener.next()
            let own = PeerCredentials(pid: Platform.pid, uid: Platform.uid, gid: Platform.gid)
            #expect(try UnixSocket.peerCredentials(server.number) == own)
            #expect(try UnixSocket.peerCredentials(client.number) == own)
            #expect(ByteIO.write(client.number, Array("hello".utf8)) == .bytes(5))
            #expect(try wait(for: .readable, on: server.number))
            #expect(readAll(server.number) == (Array("hello".utf8), .wouldBlock))
        }
    }

    @Test func `an accepted connection is non-blocking and not inherited`() throws {
        try withFolder { folder in
            let listener = try UnixListener.listen(path: folder + "/s")
            if case .wouldBlock = listener.accept() {} else { Issue.record("a connection before connect") }
            let client = try UnixSocket.connect(path: folder + "/s")
            let server = try listener.next()
            for number in [listener.number, server.number] {
                #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
                #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
            }
            #expect(fcntl(client.number, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(client.number, F_GETFL) & O_NONBLOCK == 0)
        }
    }

    @Test(arguments: [(107, true), (108, false), (200, false)])
    func `a path is used completely or refused`(bytes: Int, fits: Bool) throws {
        try withFolder { folder in
            let path = folder + "/" + String(repeating: "x", count: bytes - folder.utf8.count - 1)
            let limit = SocketError.pathTooLong(path, limitBytes: 107)
            if fits {
                let listener = try UnixListener.listen(path: path)
                let client = try UnixSocket.connect(path: path)
                #expect(client.isOpen && listener.number >= 0)
                #expect(try names(in: folder) == [String(path.dropFirst(folder.count + 1))])
            } else {
                #expect(throws: limit) { try UnixListener.listen(path: path) }
                #expect(throws: limit) { _ = try UnixSocket.connect(path: path) }
                #expect(try names(in: folder) == [])
            }
        }
    }

    @Test func `invalid paths are refused`() {
        #expect(throws: SocketError.pathEmpty) { try UnixListener.listen(path: "") }
        #expect(throws: SocketError.pathHasZeroByte("/tmp/a\0b")) {
            try UnixListener.listen(path: "/tmp/a\0b")
        }
    }

    @Test func `a missing folder is named`() throws {
        try withFolder { folder in
            let path = folder + "/no/s"
            #expect(throws: SocketError.folderMissing(folder: folder + "/no", path: path)) {
                try UnixListener.listen(path: path)
            }
            try makeFile(folder + "/file")
            #expect(throws: SocketError.notAFolder(folder + "/file")) {
                try UnixListener.listen(path: folder + "/file/s")
            }
        }
    }

    enum Bystander: CaseIterable {
        case file, emptyFile, folder, pipe, linkToFile, linkToNothing, linkToStaleSocket

        func make(_ path: String, beside other: String) throws {
            switch self {
            case .file: try makeFile(path)
            case .emptyFile: try makeFile(path, "")
            case .folder: try Platform.makeFolder(path)
            case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
            case .linkToFile:
                try makeFile(other)
                try #require(unsafe symlink(other, path) == 0)
            case .linkToNothing: try #require(unsafe symlink(other, path) == 0)
            case .linkToStaleSocket:
                try makeStaleSocket(other)
                try #require(unsafe symlink(other, path) == 0)
            }
        }
    }

    @Test(arguments: Bystander.allCases)
    func `a file that is not a socket is refused and not changed`(_ bystander: Bystander) throws {
        try withFolder { folder in
            let path = folder + "/s"
            try bystander.make(path, beside: folder + "/other")
            let before = try (names(in: folder), FileMark(path))
            #expect(throws: SocketError.notASocket(path)) { try UnixListener.listen(path: path) }
            #expect(try (names(in: folder), FileMark(path)) == before)
        }
    }

    @Test func `a stale socket file is replaced`() throws {
        try withFolder { folder in
            try makeStaleSocket(folder + "/s")
            #expect(throws: SocketError.noListener(folder + "/s")) {
                _ = try UnixSocket.connect(path: folder + "/s")
            }
            let listener = try UnixListener.listen(path: folder + "/s")
            let client = try UnixSocket.connect(path: folder + "/s")
            #expect(try listener.next().isOpen && client.isOpen)
            #expect(try names(in: folder) == ["s"])
        }
    }

    @Test func `a live daemon is not disturbed`() throws {
        try withFolder { folder in
            let listener = try UnixListener.listen(path: folder + "/s")
            let before = try FileMark(folder + "/s")
            #expect(throws: SocketError.alreadyRunning(folder + "/s")) {
                try UnixListener.listen(path: folder + "/s")
            }
            #expect(try FileMark(folder + "/s") == before)
            // The live daemon saw a connection that closed at once.
            let visitor = try listener.next()
            #expect(readAll(visitor.number) == ([], .endOfInput))
        }
    }

    @Test func `a daemon with a full queue is live`() throws {
        try withFolder { folder in
            let path = folder + "/s"
            let listener = try UnixListener.listen(path: path, backlog: 0)
            let waiting = try UnixSocket.connect(path: path)
            #expect(throws: SocketError.timedOut(path)) {
                _ = try UnixSocket.connect(path: path, timeoutMilliseconds: 20)
            }
            #expect(throws: SocketError.alreadyRunning(path)) { try UnixListener.listen(path: path) }
            #expect(waiting.isOpen && listener.number >= 0)
        }
    }

    @Test(.startsProcess) func `a killed daemon's socket file does not block the next daemon`() async throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let path = folder.path + "/s"
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let listener = try UnixListener.listen(path: path)
            kill(getpid(), SIGKILL)
            _ = listener.accept()
        }
        #expect(try names(in: folder.path) == ["s"])
        let listener = try UnixListener.listen(path: path)
        let client = try UnixSocket.connect(path: path)
        #expect(client.isOpen && listener.number >= 0)
        listener.close()
        #expect(try names(in: folder.path) == [])
    }

    @Test(arguments: [false, true])
    func `of concurrent starts exactly one listens`(stale: Bool) throws {
        for _ in 0..<50 {
            try withFolder { folder in
                let path = folder + "/s"
                if stale { try makeStaleSocket(path) }
                let outcomes = race(8, on: path)
                #expect(outcomes.count { $0 == nil } == 1)
                #expect(outcomes.count { $0 == .alreadyRunning(path) } == 7)
                #expect(try names(in: folder) == [])
            }
        }
    }

    @Test func `concurrent starts and stops leave no file and never two listeners`() throws {
        try withFolder { folder in
            let path = folder + "/s"
            let listening = Atomic<Int>(0)
            let faults = Mutex<[String]>([])
            inParallel(6) { _ in
                for _ in 0..<200 {
                    do throws(SocketError) {
                        let listener = try UnixListener.listen(path: path)
                        let others = listening.add(1, ordering: .sequentiallyConsistent).oldValue
                        if others != 0 { faults.withLock { $0.append("\(others) listened already") } }
                        listening.subtract(1, ordering: .sequentiallyConsistent)
                        listener.close()
                    } catch .alreadyRunning {
                        continue
                    } catch {
                        faults.withLock { $0.append("\(error)") }
                    }
                }
            }
            let left = try names(in: folder)
            #expect(faults.withLock { $0 } == [] && left == [])
        }
    }

    @Test(arguments: [0o600, 0o660, 0o666, 0o700] as [UInt32])
    func `the socket has the requested permissions`(_ mode: UInt32) throws {
        try withFolder { folder in
            let listener = try UnixListener.listen(path: folder + "/s", mode: mode)
            #expect(permissions(folder + "/s") == mode && listener.number >= 0)
        }
    }

    @Test(.startsProcess) func `a umask does not change the permissions`() async throws {
        await #expect(processExitsWith: .success) {
            for mask: mode_t in [0, 0o077, 0o777] {
                umask(0)
                try withFolder { folder in
                    umask(mask)
                    let listener = try UnixListener.listen(path: folder + "/s", mode: 0o620)
                    try #require(permissions(folder + "/s") == 0o620 && listener.number >= 0)
                }
            }
        }
    }

    @Test(.startsProcess) func `the socket never has more permissions, not even at its creation`() async {
        await #expect(processExitsWith: .exitCode(1)) {
            umask(0)
            let count = try withFolder { folder in
                let watch = FileDescriptor(owning: inotify_init())
                let kinds = UInt32(IN_CREATE) | UInt32(IN_ATTRIB)
                try #require(unsafe inotify_add_watch(watch.number, folder, kinds) >= 0)
                try watch.setNonBlocking(true)
                let listener = try UnixListener.listen(path: folder + "/s")
                // One event of 32 bytes: the creation. A change of permissions would be a second one.
                let events = readAll(watch.number).bytes
                try #require(listener.number >= 0 && permissions(folder + "/s") == 0o600)
                return Int32(events.count / 32)
            }
            exit(count)
        }
    }

    @Test func `closing removes the file once, unless it was replaced`() throws {
        try withFolder { folder in
            let path = folder + "/s"
            let first = try UnixListener.listen(path: path)
            first.close()
            #expect(try names(in: folder) == [] && first.number == -1)
            let second = try UnixListener.listen(path: path)
            first.close()
            try #require(unsafe rename(path, folder + "/moved") == 0)
            let third = try UnixListener.listen(path: path)
            second.close()
            #expect(try names(in: folder) == ["moved", "s"])
            let client = try UnixSocket.connect(path: path)
            #expect(client.isOpen && third.number >= 0)
        }
    }

    @Test func `freeing a listener closes it`() throws {
        try withFolder { folder in
            _ = try UnixListener.listen(path: folder + "/s")
            #expect(try names(in: folder) == [])
            #expect(throws: SocketError.noSocket(folder + "/s")) {
                _ = try UnixSocket.connect(path: folder + "/s")
            }
        }
    }

    @Test func `listening waits for a locked folder, closing does not`() throws {
        try withFolder { folder in
            let listener = try UnixListener.listen(path: folder + "/a")
            var lock = FileDescriptor(owning: unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
            try #require(flock(lock.number, LOCK_EX) == 0)
            listener.close()
            #expect(try names(in: folder) == [])
            let outcome = Mutex<[SocketError?]>([])
            let queue = DispatchQueue(label: "waiter")
            queue.async { outcome.withLock { $0 = race(1, on: folder + "/b") } }
            lock.close()
            queue.sync {}
            #expect(outcome.withLock { $0 } == [nil])
        }
    }

    @Test(.startsProcess) func `out of descriptors is reported, and the connection waits`() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                let listener = try UnixListener.listen(path: folder + "/s")
                let client = try UnixSocket.connect(path: folder + "/s")
                try #require(try wait(for: .readable, on: listener.number))
                var limit = rlimit(rlim_cur: 1024, rlim_max: 4096)
                try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
                var fillers: [Int32] = []
                while case let number = dup(client.number), number >= 0 { fillers.append(number) }
                guard case .exhausted(EMFILE) = listener.accept() else { exit(2) }
                close(fillers.removeLast())
                guard case .connection = listener.accept() else { exit(3) }
            }
        }
    }
}

/// The identity and contents of a file, to detect changes.
private struct FileMark: Equatable {
    let inode: ino_t
    let size: off_t
    let mode: mode_t
    let changed: Int

    init(_ path: String) throws {
        var status = stat()
        try #require(unsafe lstat(path, &status) == 0)
        inode = status.st_ino
        size = status.st_size
        mode = status.st_mode
        changed = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
    }
}

/// Runs `body` on several threads at once and waits for all.
private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let gate = DispatchGroup()
    let end = DispatchGroup()
    gate.enter()
    for index in 0..<count {
        DispatchQueue(label: "racer \(index)").async(group: end) {
            gate.wait()
            body(index)
        }
    }
    gate.leave()
    end.wait()
}

/// Several threads listen on `path` at once; nil for each success. All close after the last attempt.
private func race(_ count: Int, on path: String) -> [SocketError?] {
    let outcomes = Mutex<[SocketError?]>([])
    let tried = DispatchGroup()
    for _ in 0..<count { tried.enter() }
    inParallel(count) { _ in
        do throws(SocketError) {
            let listener = try UnixListener.listen(path: path)
            outcomes.withLock { $0.append(nil) }
            tried.leave()
            tried.wait()
            listener.close()
        } catch {
            outcomes.withLock { $0.append(error) }
            tried.leave()
        }
    }
    return outcomes.withLock { $0 }
}
