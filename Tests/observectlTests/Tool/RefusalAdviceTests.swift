// SPDX-License-Identifier: MIT
// What a refusal's sentence has besides the daemon's message.

import ObserveCore
import Testing

@testable import observectl

struct RefusalAdviceTests {
    private static func lack(_ place: String, of path: String) -> String {
        #"{"code":1,"message":"\#(place) is null, so \#(path) can't be written","data":{"path":"\#(place)"}}"#
    }

    @Test(
        arguments: [
            (
                ["set", "a", "1"],
                #"{"code":4,"message":"a has changed","data":{"value":{"b":2},"revision":9}}"#,
                #"a has changed; found {"b":2} at revision 9"#
            ),
            (["set", "a", "1"], #"{"code":4,"message":"a has changed"}"#, "a has changed"),
            (
                ["get", "a b"], #"{"code":6,"message":"a b renders to more than maxRenderedBytes"}"#,
                "a b renders to more than maxRenderedBytes; 'observectl dump --json 'a b'' prints it"
            ),
            (
                ["get", "a", "b"], #"{"code":6,"message":"more than maxRenderedBytes"}"#,
                "more than maxRenderedBytes; 'observectl dump --json PATH' prints one of any size"
            ),
            (
                ["set", "a", "1"], #"{"code":-32600,"message":"the line is too long"}"#,
                "the line is too long; 'observectl load --json a FILE' sets a value of any length"
            ),
            (
                ["insert", "a", "1"], #"{"code":-32600,"message":"the line is too long"}"#,
                "the line is too long; the daemon's configuration sets the limit (maxLineBytes)"
            ),
            (
                ["load", "/dev/null"], #"{"code":6,"message":"more than maxTreeBytes"}"#,
                "/dev/null: more than maxTreeBytes; 'observectl status' shows how much is in use, "
                    + "and the daemon's configuration sets the limit"
            ),
            (
                ["load", "/dev/null"], #"{"code":-32602,"message":"the text is not a dump"}"#,
                "/dev/null: the text is not a dump; ordinary JSON is for 'observectl load --json PATH'"
            ),
            (["set", "a", "1"], #"{"code":2,"message":"expected Int"}"#, "expected Int"),
            (
                ["increment", "--min", "9", "--max", "1", "a"],
                #"{"code":-32602,"message":"the param min is above the param max"}"#, "--min is above --max"
            ),
            (
                ["get", "a", "b[c == d]"],
                #"{"code":1,"message":"column 8: d: B has no property d","data":{"path":"b[c == d]","column":8}}"#,
                "the path 'b[c == d]': column 8: d: B has no property d"
            ),
            (
                ["set", "a.b", "5"], RefusalAdviceTests.lack("a", of: "a.b"),
                "a is null, so a.b can't be written; to make it too: observectl set --parents a.b 5"
            ),
            (
                ["--compact", "set", "--lifetime", "1m", "--string", "--dry-run", "a.b", "--", "-"],
                RefusalAdviceTests.lack("a", of: "a.b"),
                "a is null, so a.b can't be written; to make it too: observectl --compact set --parents --lifetime 1m "
                    + "--string --dry-run a.b -- -"
            ),
            (
                ["hold", "a.b", "5", "--", "sleep", "1 0"], RefusalAdviceTests.lack("a", of: "a.b"),
                "a is null, so a.b can't be written; to make it too: observectl hold --parents a.b 5 -- sleep '1 0'"
            ),
            (
                ["set", "--string", "a.9.x", "5"], RefusalAdviceTests.lack("a.9", of: "a.9.x"),
                "a.9 is null, so a.9.x can't be written; to make it too: observectl set --parents --string a.9.x 5, or, "
                    + #"if a is an array: observectl insert a '{"x":"5"}'"#
            ),
            (
                ["set", "--parents", "a.9.x", "5"], RefusalAdviceTests.lack("a.9", of: "a.9.x"),
                #"a.9 is null, so a.9.x can't be written; if a is an array: observectl insert a '{"x":5}'"#
            ),
            (
                ["set", "a.b.c d.e", "it's"], RefusalAdviceTests.lack("a.b", of: "a.b.c d.e"),
                "a.b is null, so a.b.c d.e can't be written; to make it too: observectl set --parents "
                    + #"'a.b.c d.e' 'it'\''s'"#
            ),
            (
                ["increment", "a.b.c"], RefusalAdviceTests.lack("a", of: "a.b.c"),
                #"a is null, so a.b.c can't be written; first make it: observectl set a '{"b":{}}'"#
            ),
            (
                ["set", "a.b", "5"],
                #"{"code":2,"message":"a is not a model, so a.b can't be written","data":{"path":"a"}}"#,
                "a is not a model, so a.b can't be written; to replace it by a model: "
                    + #"observectl set a '{"b":5}'"#
            ),
            (
                ["hold", "--string", "a.b", "5", "--", "ls"],
                #"{"code":2,"message":"a is not a model, so a.b can't be written","data":{"path":"a"}}"#,
                "a is not a model, so a.b can't be written; to replace it by a model: "
                    + #"observectl hold a '{"b":"5"}' -- ls"#
            ),
            (
                ["set", "a", "null"],
                #"{"code":2,"message":"a: expected Int, found null","data":{"path":"a","declared":"Int"}}"#,
                "a: expected Int, found null: it is never null; set another value, or declare Int?"
            ),
            (
                ["increment", "--max", "1e400", "a"],
                #"{"code":-32602,"message":"the param max is a number of 64 bits"}"#,
                "--max is a number of 64 bits"
            ),
            (
                ["increment", "a", "1e400"],
                #"{"code":-32602,"message":"the param by is a number of 64 bits"}"#,
                "BY is a number of 64 bits"
            ),
            (
                ["get", "--at", "1d", "a"],
                #"{"code":1,"message":"-86400000 ms are before the history; the oldest is revision 2"}"#,
                "--at 1d is before the history; the oldest is revision 2"
            ),
            (
                ["insert", "a", "5"],
                #"{"code":1,"message":"a is null, and elements can be inserted into arrays alone","data":{"path":"a"}}"#,
                "a is null, and elements can be inserted into arrays alone; first make the array: "
                    + "observectl set a '[]'"
            ),
            (
                ["insert", "b", "--target", "a"],
                #"{"code":1,"message":"a is null: a link needs a model","data":{"path":"a"}}"#,
                "a is null: a link needs a model"
            ),
            (
                ["get", "a"],
                #"{"code":-32602,"message":"the param path: the key path has more than 64 components"}"#,
                "the path: the key path has more than 64 components"
            ),
            (
                ["set", "a.9", "5"],
                #"{"code":1,"message":"the array at a has no element 9","data":{"path":"a.9"}}"#,
                "the array at a has no element 9; to add one: observectl insert a VALUE"
            ),
            (
                ["unbind", "9"], #"{"code":1,"message":"no such binding: 9"}"#,
                "no such binding: 9; 'observectl bindings' lists them"
            ),
            (
                ["call", "get", "{}"], #"{"code":-32602,"message":"get needs the param path"}"#,
                "get needs the param path"
            ),
        ] as [([String], String, String)]
    )
    func `a refusal says what was found, or what can be done`(
        words: [String],
        error: String,
        sentence: String
    ) throws {
        let daemon = try FakeDaemon(connections: words[0] == "load" ? 2 : 1) { _ in
            .init(lines: [#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"#])
        }
        let run = try ToolRun(words, environment: ["OBSERVED_SOCKET": daemon.path])
        #expect(run.error == "observectl: \(sentence)\n")
        #expect(run.ending == .status(.refused))
    }
}
