// SPDX-License-Identifier: MIT
// Bindings of a real daemon: how it reports one that can't write its target.

import Testing

struct BindingTests {
    @Test(.timeLimit(.minutes(15)))
    func `a binding that fails and succeeds in turn does not flood the log`() throws {
        let daemon = try DaemonUnderTest(
            configuration:
                #"{"types":{"T":{"n":"Int"}},"models":{"s":{"value":1},"t":{"type":"T","value":{"n":1}}}}"#
        )
        let connection = try daemon.connect()
        _ = try connection.ask(#"{"id":1,"method":"bind","params":{"source":"s","target":"t.n"}}"#)
        let start = ContinuousClock.now
        let turns = 5000
        for turn in 1...turns {
            for value in ["\"text\"", "\(turn)"] {
                try connection.send(#"{"method":"set","params":{"path":"s","value":\#(value)}}"#)
            }
        }
        _ = try connection.ask(#"{"id":2,"method":"ping"}"#)
        let seconds = Int(start.duration(to: .now).components.seconds) + 1
        let lines = try daemon.stop().errors.split(separator: "\n").filter { $0.contains("fails") }
        // Two kinds of lines, and the windows begin with the first of each.
        #expect(lines.count <= 2 * 20 * (seconds + 1), "\(lines.count) lines in \(seconds) s")
        let counted = lines.reduce(0) { sum, line in
            let words = line.split(separator: " ")
            if let place = words.firstIndex(of: "left") { return sum + (Int(words[place + 2]) ?? 0) }
            return sum + (line.hasSuffix("more times)") ? Int(words[words.count - 3].dropFirst()) ?? 0 : 1)
        }
        #expect(counted == 2 * turns)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon reports a failing binding, and repeats its write once the cause is gone`() throws {
        let daemon = try DaemonUnderTest(
            configuration: #"""
                {
                  "types": { "Label": { "text": "String", "size": "Int" } },
                  "models": {
                    "app": { "value": { "title": "Alien", "size": "large" } },
                    "label": { "type": "Label?" }
                  },
                  "bindings": [
                    { "source": "app.title", "target": "label.text" },
                    { "source": "app.size", "target": "label.size" }
                  ]
                }
                """#
        )
        let client = try daemon.connect()
        func ask(_ request: String) throws -> String {
            try client.send("{\"id\":1,\(request)}")
            return try client.readLine() ?? ""
        }
        func count(_ failing: Int, _ failed: Int) throws -> Bool {
            try ask(#""method":"status""#)
                .contains(#""bindingsFailing":\#(failing),"bindingWritesFailed":\#(failed),"#)
        }
        func set(_ path: String, _ json: String) throws {
            let answer = try ask(#""method":"set","params":{"path":"\#(path)","value":\#(json)}"#)
            #expect(answer.contains(#""changed":true"#))
        }
        #expect(try ask(#""method":"bindings""#).split(separator: #""failing":true"#).count == 3)
        #expect(try count(2, 2))

        // The parent exists now; the type is still wrong.
        try set("label", "{}")
        #expect(try daemon.observectl("get", "label").output == #"{"text":"Alien","size":0}"# + "\n")
        #expect(try count(1, 3))
        // An unrelated change does not repeat the write.
        try set("app.other", "1")
        #expect(try count(1, 3))
        try set("app.size", "7")
        #expect(try daemon.observectl("get", "label.size").output == "7\n")
        #expect(try count(0, 3))
        try set("label", "null")
        #expect(try count(2, 5))
        try set("app.title", #""Brazil""#)
        #expect(try count(2, 6))

        let said = try daemon.stop().errors.split(separator: "\n").filter { $0.contains("binding ") }
        let ends = ["1, from app.title to label.text,", "2, from app.size to label.size,"]
        let expected = [
            "\(ends[0]) no longer fails", "\(ends[1]) no longer fails",
            "\(ends[0]) fails: label is null",
            "\(ends[1]) fails: label is null",
        ]
        #expect(said.count == expected.count)
        for (line, expected) in zip(said, expected) { #expect(line.contains(expected), "\(line)") }
    }
}
