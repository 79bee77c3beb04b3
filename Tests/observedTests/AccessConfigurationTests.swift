// SPDX-License-Identifier: MIT
// The configuration's access rules, and their faults.

import ObserveCore
import Testing
import observed

struct AccessConfigurationTests {
    private func access(_ json: String) throws -> AccessRules? {
        try Configuration(json: Array(#"{"access":\#(json)}"#.utf8)).access
    }

    private func faults(_ json: String) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try Configuration(json: Array(#"{"access":\#(json)}"#.utf8))
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test func `rules name users and groups by name or number, and paths in either form`() throws {
        let rules = try access(
            #"""
            [{"uid": 7, "read": ["app", "app.a\\.b", ["x", "*", 0]], "write": []},
             {"gid": 4294967294, "write": ["", "a.0"]},
             {"user": "root", "read": [[]]},
             {"group": "root"}]
            """#
        )
        #expect(
            rules
                == AccessRules([
                    AccessRules.Rule(
                        .user(7),
                        read: [
                            PathPrefix(["app"]), PathPrefix(["app", "a.b"]), PathPrefix(["x", "*", "0"]),
                        ],
                        write: []
                    ),
                    AccessRules.Rule(
                        .group(4_294_967_294),
                        read: [],
                        write: [PathPrefix([]), PathPrefix(["a", "0"])]
                    ),
                    AccessRules.Rule(.user(0), read: [PathPrefix([])], write: []),
                    AccessRules.Rule(.group(0), read: [], write: []),
                ])
        )
    }

    @Test func `an empty list is the same as no rules`() throws {
        #expect(try Configuration(json: Array("{}".utf8)).access == nil)
        #expect(try access("[]") == nil)
    }

    @Test(arguments: [
        ("null", ["access: expected an array of rules, found null"]),
        (#"[{"user":"root\u0000x"}]"#, ["access.0.user: unknown user root\0x"]),
        (#"[{"group":"root\u0000"}]"#, ["access.0.group: unknown group root\0"]),
        ("{}", ["access: expected an array of rules, found an object"]),
        ("[1]", ["access.0: expected an object with one of user, uid, group, gid, found 1"]),
        ("[{}]", ["access.0: missing, expected one of user, uid, group, gid"]),
        (
            #"[{"uid":7},{"user":"root","gid":0,"read":[]}]"#,
            ["access.1: expected one of user, uid, group, gid, found user and gid"]
        ),
        (#"[{"uid":-1}]"#, ["access.0.uid: expected an integer from 0 to 4294967294, found -1"]),
        (
            #"[{"gid":4294967295}]"#,
            ["access.0.gid: expected an integer from 0 to 4294967294, found 4294967295"]
        ),
        (#"[{"uid":"7"}]"#, ["access.0.uid: expected an integer from 0 to 4294967294, found a string"]),
        (#"[{"uid":7.5}]"#, ["access.0.uid: expected an integer from 0 to 4294967294, found 7.5"]),
        (#"[{"user":7}]"#, ["access.0.user: expected the name of a user, found 7"]),
        (#"[{"group":null}]"#, ["access.0.group: expected the name of a group, found null"]),
        (#"[{"user":"no such user"}]"#, ["access.0.user: unknown user no such user"]),
        (#"[{"group":"no such group"}]"#, ["access.0.group: unknown group no such group"]),
        (
            #"[{"uid":7,"reads":[]}]"#,
            ["access.0.reads: unknown key, expected one of user, uid, group, gid, read, write"]
        ),
        (#"[{"uid":7,"read":"app"}]"#, ["access.0.read: expected an array of key paths, found a string"]),
        (
            #"[{"uid":7,"write":[1,null]}]"#,
            [
                "access.0.write.0: expected a key path: a string, or an array of strings and integers, found 1",
                "access.0.write.1: expected a key path: a string, or an array of strings and integers, found null",
            ]
        ),
        (
            #"[{"uid":7,"read":["app.*","**","app.@count",[1.5]]}]"#,
            [
                "access.0.read.0: expected a path without wildcards and operators",
                "access.0.read.1: expected a path without wildcards and operators",
                "access.0.read.2: expected a path without wildcards and operators",
                "access.0.read.3: expected a key path: a string, or an array of strings and integers, found an array",
            ]
        ),
        (#"[{"uid":7,"uid":8}]"#, ["access.0.uid: given twice in one object, expected once"]),
        (
            #"[{"uid":7,"read":["observed"],"write":["app","observed.revision"]}]"#,
            ["access.0.write.1: this root is the daemon's own, and is read-only"]
        ),
        (
            #"[{"uid":7,"x":1,"read":["app."]},{"read":5}]"#,
            [
                "access.0.x: unknown key, expected one of user, uid, group, gid, read, write",
                "access.0.read.0: component 2 of the key path is empty (an empty name is written \\e)",
                "access.1: missing, expected one of user, uid, group, gid",
                "access.1.read: expected an array of key paths, found 5",
            ]
        ),
    ])
    func `a fault is named with its place`(json: String, expected: [String]) {
        #expect(faults(json) == expected)
    }
}
