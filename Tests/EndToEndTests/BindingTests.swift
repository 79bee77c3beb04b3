// SPDX-License-Identifier: MIT
// Bindings of a real daemon: how it reports one that can't write its target.

import Testing

struct BindingTests {
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
