// SPDX-License-Identifier: MIT
// The real daemon on a disk whose calls fail: its goodbye, what it refuses and serves then, and the state afterwards.

import Glibc
import ObserveCore
import Testing

struct FailingCallTests {
    @Test(
        .timeLimit(.minutes(15)),
        .enabled(if: FailingCalls.hasCompiler, "clang builds what makes calls fail"),
        arguments: [
            ("commit", "fdatasync", EIO), ("commit", "pwrite", ENOSPC), ("interval", "pwrite", EIO),
            ("interval", "fdatasync", EIO), ("none", "fdatasync", EIO),
        ]
    )
    func `when a call fails, the daemon continues in the same process from what the disk has kept`(
        durability: String,
        call: String,
        code: Int32
    ) throws {
        let state = try KeptState(durability)
        let calls = try FailingCalls(in: state.directory)
        let daemon = try state.start(environment: calls.environment)
        let run = FailingCallRun(try daemon.connect(), try daemon.connect())
        try run.begin()
        #expect(try run.set(10) == [])
        if durability != "none" {
            // The configuration in force stays in force.
            _ = try state.directory.write("{ no configuration", to: "observed.json")
            try calls.fail(call, code)
            let revision = try run.setUntilGoodbye()
            #expect(try run.sentBeforeGoodbye() == run.answered)
            run.connect(try daemon.connect(), try daemon.connect())
            try run.begin()
            #expect(try run.result("get", #"{"path":"a"}"#)["revision"]?.int == revision)
            let fresh = try run.result("subscribe", #"{"path":"b","initial":false}"#)
            let epoch = try #require(fresh["epoch"]?.string)
            let since = #"{"epoch":"\#(epoch)","revision":\#(revision ?? -1)}"#
            let resumed = try run.result("subscribe", #"{"path":"b","since":\#(since)}"#)
            #expect(resumed["resumed"] == true && resumed["replayed"]?.int == 0)
            #expect(try run.set(1000) == [8])
            #expect(try run.value() == run.last)
            try state.writeConfiguration()
            daemon.process.signal(SIGHUP)
            try daemon.process.readLine(
                containing: "the state's disk refuses changes now",
                from: .errors
            )
            let status = try run.result("status", "{}")
            #expect(status["journal"]?["failing"] == true)
            try calls.fail("nothing", 0)
            try run.setUntilAnswered()
            #expect(try run.set(1000) == [])
            #expect(try run.result("status", "{}")["journal"]?["failing"] == false)
        }
        #expect(try run.sent() == run.answered)
        if durability == "none" {
            #expect(try daemon.stop().status == .exited(0))
        } else {
            // It is this process that holds the state.
            daemon.process.signal(SIGKILL)
            try daemon.process.wait()
        }
        try state.writeConfiguration()
        let next = try state.start()
        let again = FailingCallRun(try next.connect(), try next.connect())
        #expect(try again.value() == run.last)
    }
}

extension FailingCallTests {
    /// One client leaves its answers unread, so the daemon waits for it.
    @Test(
        .timeLimit(.minutes(15)),
        .enabled(if: FailingCalls.hasCompiler, "clang builds what makes calls fail")
    )
    func `while a broken disk ends the connections, SIGTERM ends the daemon as usual`() throws {
        let state = try KeptState("interval")
        let calls = try FailingCalls(in: state.directory)
        let daemon = try state.start(environment: calls.environment)
        let text = String(repeating: "x", count: 100_000)
        #expect(try daemon.observectl("set", "long", text).status == .exited(0))
        let idle = try daemon.connect()
        let get = #"{"id":1,"method":"get","params":{"path":"long"}}"#
        try idle.send(Array(repeating: get, count: 100).joined(separator: "\n"))
        let run = FailingCallRun(try daemon.connect(), try daemon.connect())
        #expect(try run.set(10) == [])
        try calls.fail("pwrite", EIO)
        _ = try run.setUntilGoodbye()
        #expect(try daemon.stop().status == .exited(0))
        #expect(FileKind.of(daemon.socket) == nil)
        withExtendedLifetime(idle) {}
    }

    @Test(
        .timeLimit(.minutes(15)),
        .enabled(if: FailingCalls.hasCompiler, "clang builds what makes calls fail")
    )
    func `behind a broken disk, an upgrade follows the link that the daemon was started from`() throws {
        let state = try KeptState("interval")
        let calls = try FailingCalls(in: state.directory)
        let link = state.directory.path("program")
        try #require(unsafe symlink(BuiltProducts.observed, link) == 0)
        let process = try ChildProcess(
            link,
            ["--socket", state.socket, "--config", state.configuration, "--state", state.folder],
            environment: calls.environment
        )
        try process.readLine(containing: "ready on", from: .errors)
        let run = FailingCallRun(
            try LineConnection(path: state.socket),
            try LineConnection(path: state.socket)
        )
        #expect(try run.set(10) == [])
        try calls.fail("pwrite", EIO)
        _ = try run.setUntilGoodbye()
        try process.readLine(containing: "ready again", from: .errors)
        process.signal(SIGUSR2)
        let checking = try process.readLine(containing: "upgrading: checking ", from: .errors)
        #expect(checking.hasSuffix(link))
    }

    /// A client has removed a root of the configuration, which a start makes again.
    @Test(
        .timeLimit(.minutes(15)),
        .enabled(if: FailingCalls.hasCompiler, "clang builds what makes calls fail"),
        arguments: [true, false]
    )
    func `a disk that takes no change of the configuration's is served as it is`(breaks: Bool) throws {
        let state = try KeptState("interval")
        let calls = try FailingCalls(in: state.directory)
        try state.directory.write(#"{"models":{"app":{"value":{"n":1}}}}"#, to: "observed.json")
        var daemon = try state.start(environment: calls.environment)
        let run = FailingCallRun(try daemon.connect(), try daemon.connect())
        #expect(try run.set(10) == [])
        #expect(try daemon.observectl("remove", "app").status == .exited(0))
        if breaks {
            try calls.fail("pwrite", EIO)
            _ = try run.setUntilGoodbye()
        } else {
            #expect(try daemon.stop().status == .exited(0))
            try calls.fail("pwrite", ENOSPC)
            daemon = try state.start(environment: calls.environment, logging: ["missing: models.app"])
        }
        run.connect(try daemon.connect(), try daemon.connect())
        #expect(try run.value() == run.last)
        #expect(try run.set(1) == [8])
        try calls.fail("nothing", 0)
        try run.setUntilAnswered()
        #expect(try daemon.observectl("get", "app").output == "null\n")
        daemon.process.signal(SIGHUP)
        try daemon.process.readLine(containing: "was read again", from: .errors)
        #expect(try daemon.observectl("get", "app.n").output == "1\n")
    }

    @Test(
        .timeLimit(.minutes(15)),
        .enabled(if: FailingCalls.hasCompiler, "clang builds what makes calls fail")
    )
    func `a folder that can't be listed ends the start, and keeps its files`() throws {
        let state = try KeptState("interval")
        let calls = try FailingCalls(in: state.directory)
        var daemon = try state.start()
        #expect(try daemon.observectl("set", "a", "1").status == .exited(0))
        #expect(try daemon.stop().status == .exited(0))
        try calls.fail("readdir", EIO)
        let refused = try ChildProcess.run(
            BuiltProducts.observed,
            ["--socket", state.socket, "--config", state.configuration, "--state", state.folder],
            environment: calls.environment
        )
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains("readdir"), "\(refused.errors)")
        daemon = try state.start()
        #expect(try daemon.observectl("get", "a").output == "1\n")
    }
}

/// A preloaded library that makes system calls fail while a file names an error.
private struct FailingCalls {
    private static let source = """
        #define _GNU_SOURCE
        #include <dirent.h>
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static int code(const char *call) {
            char text[64] = {0};
            int file = open(getenv("FAILING_CALLS"), O_RDONLY);
            if (file < 0) return 0;
            long count = read(file, text, sizeof text - 1);
            close(file);
            unsigned long length = strlen(call);
            return count > 0 && !strncmp(text, call, length) && text[length] == ' ' ? atoi(text + length) : 0;
        }
        static ssize_t put(const char *name, int file, const void *bytes, size_t count, off_t at) {
            static __thread int isHalf;
            ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
            int error = code("pwrite");
            if (error && (isHalf = !isHalf) && count > 1) return real(file, bytes, count / 2, at);
            if (!error) return real(file, bytes, count, at);
            errno = error;
            return -1;
        }
        ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
            return put("pwrite", file, bytes, count, at);
        }
        ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) {
            return put("pwrite64", file, bytes, count, at);
        }
        struct dirent *readdir(DIR *folder) {
            struct dirent *(*real)(DIR *) = dlsym(RTLD_NEXT, "readdir");
            int error = code("readdir");
            if (!error) return real(folder);
            errno = error;
            return 0;
        }
        struct dirent64 *readdir64(DIR *folder) { return (struct dirent64 *)readdir(folder); }
        int fdatasync(int file) {
            int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
            int error = code("fdatasync");
            if (!error) return real(file);
            errno = error;
            return -1;
        }
        """

    static let hasCompiler = (try? ChildProcess.run("clang", ["--version"]))?.status == .exited(0)

    let environment: [String: String]
    private let directory: TemporaryDirectory

    init(in directory: TemporaryDirectory) throws {
        self.directory = directory
        let source = try directory.write(FailingCalls.source, to: "calls.c")
        let library = directory.path("calls.so")
        let built = try ChildProcess.run("clang", ["-shared", "-fPIC", "-O1", "-o", library, source])
        #expect(built.status == .exited(0), "\(built.errors)")
        let order = try directory.write("nothing 0", to: "calls")
        environment = ["LD_PRELOAD": library, "FAILING_CALLS": order]
    }

    /// From now on the call fails with that error. A rename replaces the file, so that the library never reads half
    /// of it.
    func fail(_ call: String, _ code: Int32) throws {
        let fresh = try directory.write("\(call) \(code)", to: "calls.new")
        #expect(unsafe rename(fresh, directory.path("calls")) == 0)
    }
}

/// One client that sets numbers, and one that observes them.
private final class FailingCallRun {
    private var writer: LineConnection
    private var reader: LineConnection
    /// The last number sent, the last answered, and all numbers answered on this connection.
    private var asked: Int64 = 0
    private(set) var last: Int64 = 0
    private(set) var answered: [Int64] = []
    private static let patience = ChildProcess.patience

    init(_ writer: LineConnection, _ reader: LineConnection) {
        self.writer = writer
        self.reader = reader
    }

    /// Continues with other connections.
    func connect(_ writer: LineConnection, _ reader: LineConnection) {
        (self.writer, self.reader) = (writer, reader)
        answered = []
    }

    func begin() throws {
        let params = #"{"path":"a","delivery":"every","initial":false}"#
        _ = try reader.ask(#"{"id":"s","method":"subscribe","params":\#(params)}"#)
    }

    /// Sets that many numbers without waiting between them. Returns the codes of the errors.
    func set(_ count: Int) throws -> Set<Int64> {
        let first = asked + 1
        asked += Int64(count)
        let lines = (first...asked).map {
            #"{"id":\#($0),"method":"set","params":{"path":"a","value":\#($0)}}"# + "\n"
        }
        try writer.send(bytes: Array(lines.joined().utf8))
        var codes: Set<Int64> = []
        for number in first...asked {
            let line = try writer.readLine() ?? "null"
            let answer = try Value(json: line)
            #expect(answer["id"]?.int == number, "\(line)")
            if let code = answer["error"]?["code"]?.int {
                codes.insert(code)
            } else {
                answered.append(number)
                last = number
            }
        }
        return codes
    }

    /// Sets numbers until the daemon says goodbye. The next sync may fail a second later.
    ///
    /// - Returns: the revision in the goodbye.
    func setUntilGoodbye() throws -> Int64? {
        let deadline = Deadline(after: FailingCallRun.patience)
        while deadline.remaining > .zero {
            asked += 1
            // A sync that fails between two requests has closed the connection: then its goodbye is left to read.
            try? writer.send(#"{"id":\#(asked),"method":"set","params":{"path":"a","value":\#(asked)}}"#)
            let line = try #require(try writer.readLine())
            let answer = try Value(json: line)
            if answer["method"]?.string == "goodbye" {
                #expect(answer["params"]?["reason"]?.string == "journalFailed")
                return answer["params"]?["revision"]?.int
            }
            #expect(answer["id"]?.int == asked && answer["result"] != nil, "\(line)")
            answered.append(asked)
            last = asked
        }
        throw ProcessError(description: "no call failed")
    }

    /// All numbers in the observer's events before the goodbye.
    func sentBeforeGoodbye() throws -> [Int64] {
        var sent: [Int64] = []
        while let line = try reader.readLine() {
            let message = try Value(json: line)
            if message["method"]?.string == "goodbye" { return sent }
            if let new = message["params"]?["new"]?.int { sent.append(new) }
        }
        return sent
    }

    func setUntilAnswered() throws {
        let deadline = Deadline(after: FailingCallRun.patience)
        while try set(1) != [] {
            guard deadline.remaining > .zero else { throw ProcessError(description: "it did not mend") }
        }
    }

    func result(_ method: String, _ params: String) throws -> Value {
        let line = try writer.ask(#"{"id":0,"method":"\#(method)","params":\#(params)}"#) ?? "null"
        return try #require(try Value(json: line)["result"], "\(line)")
    }

    func value() throws -> Int64? { try result("get", #"{"path":"a"}"#)["value"]?.int }

    /// All numbers in the observer's events. The daemon sends an event before the write's answer.
    func sent() throws -> [Int64] {
        try reader.send(#"{"id":"end","method":"ping"}"#)
        var sent: [Int64] = []
        while let line = try reader.readLine() {
            let message = try Value(json: line)
            if message["id"]?.string == "end" { break }
            if let new = message["params"]?["new"]?.int { sent.append(new) }
        }
        return sent
    }
}
