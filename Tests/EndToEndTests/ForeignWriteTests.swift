// SPDX-License-Identifier: MIT
// `publish` beside other clients that write its path, with real processes.

import Glibc
import Testing

struct ForeignWriteTests {
    /// A daemon, a publisher at `app.player`, and another client.
    private final class Published {
        let daemon: DaemonUnderTest
        let publisher: ChildProcess
        let other: LineConnection

        init(_ arguments: String..., line: String = #"{"title":"Alien","volume":1}"#) throws {
            daemon = try DaemonUnderTest()
            _ = try daemon.observectl("set", "app", "{}")
            publisher = try ChildProcess(
                BuiltProducts.observectl,
                ["--socket", daemon.socket, "publish", "--ready", "app.player"] + arguments
            )
            other = try daemon.connect()
            try publisher.send(line + "\n")
            #expect(try publisher.readLine(.errors) == "ready")
        }

        func write(_ path: String, _ value: String, _ members: String = "") throws {
            try other.send(
                #"{"id":1,"method":"set","params":{"path":"\#(path)","value":\#(value)\#(members)}}"#
            )
            #expect(try other.readLine()?.contains(#""changed":true"#) == true)
        }

        /// Publishes a line, and waits until the value is the expected one.
        func publish(_ line: String, until value: String) throws {
            try publisher.send(line + "\n")
            while try value != self.value() {}
        }

        func value() throws -> String {
            String(try daemon.observectl("get", "app.player").output.dropLast())
        }

        func sentence() throws -> String? { try publisher.readLine(.errors) }
    }

    private let me = "observectl: process \(getpid())"

    @Test(.timeLimit(.minutes(15)))
    func `a part that another client writes stays until a line names it`() throws {
        let test = try Published()
        try test.write("app.player.volume", "7")
        #expect(
            try test.sentence() == "\(me) wrote app.player.volume; that stays until a line names it"
        )
        try test.publish(#"{"title":"Brazil"}"#, until: #"{"title":"Brazil","volume":7}"#)
        try test.write("app.player.volume", "8")
        try test.publish(#"{"volume":2}"#, until: #"{"title":"Brazil","volume":2}"#)
        test.publisher.closeInput()
        #expect(try test.publisher.finish() == Finished(status: .exited(0), output: "", errors: ""))
        #expect(try test.value() == "null")
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            ("app.player", "app.player", #"{"title":"other"}"#), ("app.player", "app.player", "5"),
            ("app", "app", #"{"player":{"title":"other"}}"#),
        ]
    )
    func `after another client's value, the next line publishes the whole value again`(
        path: String,
        named: String,
        value: String
    ) throws {
        let test = try Published()
        try test.write(path, value)
        #expect(
            try test.sentence()
                == "\(me) replaced \(named); the next line publishes the whole value again"
        )
        let theirs = try test.value()
        #expect(theirs == "5" || theirs == #"{"title":"other"}"#)
        try test.publish(#"{"volume":3}"#, until: #"{"title":"Alien","volume":3}"#)
        test.publisher.closeInput()
        #expect(try test.publisher.finish() == Finished(status: .exited(0), output: "", errors: ""))
        // The other value was permanent, and nothing was merged into it.
        #expect(try test.value() == theirs)
    }

    @Test(.timeLimit(.minutes(15)))
    func `of two publishers the later one is visible, and its end uncovers the earlier one`() throws {
        let test = try Published()
        try test.write("app.player", #"{"title":"other"}"#, #","lifetime":"connection""#)
        #expect(
            try test.sentence()
                == "\(me) replaced app.player; the next line publishes the whole value again"
        )
        try test.publish(#"{"volume":2}"#, until: #"{"title":"Alien","volume":2}"#)
        try test.write("app.player", #"{"title":"again"}"#, #","lifetime":"connection""#)
        #expect(
            try test.sentence()
                == "\(me) replaced app.player; the next line publishes the whole value again"
        )
        test.other.close()
        while try test.value() != #"{"title":"Alien","volume":2}"# {}
        test.publisher.closeInput()
        #expect(try test.publisher.finish() == Finished(status: .exited(0), output: "", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `--keep publishes all of its members again too`() throws {
        let test = try Published("--keep")
        try test.write("app.player", "null")
        #expect(
            try test.sentence()
                == "\(me) replaced app.player; the next line publishes the whole value again"
        )
        try test.publish(#"{"volume":3}"#, until: #"{"title":"Alien","volume":3}"#)
        test.publisher.closeInput()
        #expect(try test.publisher.wait() == .exited(0))
        #expect(try test.value() == #"{"title":"Alien","volume":3}"#)
    }

    @Test(.timeLimit(.minutes(15)))
    func `lines beside a writer of the whole value are merged into no value of that writer`() throws {
        let test = try Published(line: #"{"mine":0}"#)
        try test.write("app.player", "0")
        try test.publisher.readLine(containing: "replaced", from: .errors)
        let count = many(2000, usually: 500)
        for value in 1...count {
            try test.publisher.send(#"{"last":\#(value)}"# + "\n")
            try test.other.send(
                #"{"id":1,"method":"set","params":{"path":"app.player","value":{"theirs":\#(value)}}}"#
            )
        }
        for _ in 1...count { _ = try test.other.readLine() }
        try test.publish(
            #"{"last":"end"}"#,
            until: #"{"mine":0,"last":"end"}"#
        )
        test.publisher.closeInput()
        while try test.publisher.readLine(.errors) != nil {}
        #expect(try test.publisher.wait() == .exited(0))
        #expect(try test.value() == #"{"theirs":\#(count)}"#)
    }
}
