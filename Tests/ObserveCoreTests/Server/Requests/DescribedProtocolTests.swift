// SPDX-License-Identifier: MIT
// The answer of `rpc.discover` describes what the hub accepts and answers, and the validator that says so can fail.

import TestSupport
import Testing

@testable import ObserveCore

struct DescribedProtocolTests {
    private static func validator() throws -> ProtocolValidator {
        let line = try #require(FakeClient(Hub.with([])).ask(#"{"id":1,"method":"rpc.discover"}"#).last)
        let answer = try Value(json: line)
        return ProtocolValidator(document: try #require(answer["result"]))
    }

    @Test(arguments: TranscriptTests.all)
    func `each line of a transcript is as described`(transcript: Transcript) throws {
        var validator = try DescribedProtocolTests.validator()
        let client = FakeClient(Hub.with(transcript.roots()))
        for line in transcript.sent() {
            validator.send(line)
            client.send(line)
            for said in client.take() {
                let faults = validator.receive(said)
                #expect(faults.isEmpty, "\(line)\n\(said)")
            }
        }
    }

    // MARK: The validator

    @Test(
        arguments: [
            (#"{"method":"get","params":{"path":"a"}}"#, true),
            (#"{"method":"get","params":{"path":["a",0]}}"#, true),
            (#"{"method":"get","params":{"path":"a.@sum.b"}}"#, true),
            (#"{"method":"get","params":{"path":7}}"#, false),
            (#"{"method":"get","params":{"path":["a",1.5]}}"#, false),
            (#"{"method":"get","params":{"path":"a","pth":"x"}}"#, false),
            (#"{"method":"get","params":{"paths":[]}}"#, false),
            (#"{"method":"get","params":["a"]}"#, false),
            (#"{"method":"get","params":{"path":"a"},"extra":1}"#, false),
            (#"{"method":"fetch"}"#, false),
            (#"{"method":"ping"}"#, true),
            (#"{"method":"ping","params":{"path":"a"}}"#, false),
            (#"{"method":"set","params":{"path":"a"}}"#, false),
            (#"{"method":"set","params":{"value":1}}"#, false),
            (#"{"method":"set","params":{"path":"a","value":null}}"#, true),
            (#"{"method":"set","params":{"path":"a","value":1,"parents":"yes"}}"#, false),
            (#"{"method":"set","params":{"path":"a","value":1,"ifRevision":-1}}"#, false),
            (#"{"method":"set","params":{"path":"a","value":1,"lifetime":"connection"}}"#, true),
            (#"{"method":"set","params":{"path":"a","value":1,"lifetime":250}}"#, true),
            (#"{"method":"set","params":{"path":"a","value":1,"lifetime":0}}"#, false),
            (#"{"method":"set","params":{"path":"a","value":1,"lifetime":"forever"}}"#, false),
            (#"{"method":"merge","params":{"path":"a","value":1,"lifetime":1}}"#, false),
            (#"{"method":"subscribe","params":{"path":"a.**","tag":7}}"#, true),
            (#"{"method":"subscribe","params":{"path":"a.**","tag":true}}"#, false),
            (#"{"method":"subscribe","params":{"path":"a","delivery":"some"}}"#, false),
            (#"{"method":"subscribe","params":{"path":"a","since":{"epoch":"x"}}}"#, false),
            (#"{"method":"subscribe","params":{"path":"a","since":{"epoch":"x","revision":1}}}"#, true),
            (
                #"{"method":"subscribe","params":{"path":"a","since":{"epoch":"x","revision":1,"y":2}}}"#,
                false
            ),
            (
                #"{"method":"transaction","params":{"operations":[{"method":"remove","params":{"path":"a"}}]}}"#,
                true
            ),
            (
                #"{"method":"transaction","params":{"operations":[{"method":"get","params":{"path":"a"}}]}}"#,
                false
            ),
            (
                #"{"method":"transaction","params":{"operations":[{"method":"set","params":{"path":"a"}}]}}"#,
                false
            ),
            (
                #"{"method":"transaction","params":{"operations":[{"method":"remove","params":{"path":"a","by":1}}]}}"#,
                false
            ),
            (#"{"method":"transaction","params":{"operations":[{"method":"remove"}]}}"#, false),
            (#"{"method":"transaction","params":{"operations":[]}}"#, false),
        ]
    )
    func `requests are valid or not`(request: String, isValid: Bool) throws {
        let faults = try DescribedProtocolTests.validator().faults(request: try Value(json: request))
        #expect(faults.isEmpty == isValid, "\(faults)")
    }

    @Test(
        arguments: [
            ("get", #"{"value":1,"revision":4}"#, true),
            ("get", #"{"value":1}"#, false),
            ("get", #"{"value":1,"revision":4,"age":2}"#, false),
            ("get", #"{"value":1,"values":[],"revision":4}"#, false),
            ("get", #"{"values":[{"value":1,"nilAt":"a"}],"revision":4}"#, true),
            ("get", #"{"values":[{"value":1,"nilat":"a"}],"revision":4}"#, false),
            ("set", #"{"revision":4,"changed":1}"#, false),
            ("set", #"{"revision":4,"changed":true,"value":3}"#, false),
            ("increment", #"{"revision":4,"changed":true,"value":3}"#, true),
            ("increment", #"{"revision":4,"changed":true,"value":"3"}"#, false),
            ("ping", "{}", true),
            ("ping", #"{"pong":true}"#, false),
            ("load", #"{"part":0}"#, true),
            ("load", #"{"part":0,"revision":1}"#, false),
            (
                "describe", #"{"kind":"int","type":"Any","weak":false,"computed":false,"readonly":false}"#,
                true
            ),
            (
                "describe", #"{"kind":"number","type":"Any","weak":false,"computed":false,"readonly":false}"#,
                false
            ),
            ("describe", #"{"kind":"int","weak":false,"computed":false,"readonly":false}"#, false),
            (
                "transaction",
                #"{"revision":4,"changed":true,"results":[{"revision":4,"changed":true,"x":1}]}"#, false
            ),
            ("bindings", #"{"bindings":[{"binding":1,"source":"a","target":"b","twoWay":false}]}"#, false),
            ("status", #"{"version":"1"}"#, false),
        ]
    )
    func `results are valid or not`(method: String, result: String, isValid: Bool) throws {
        let faults = try DescribedProtocolTests.validator().faults(
            result: try Value(json: result),
            of: method
        )
        #expect(faults.isEmpty == isValid, "\(faults)")
    }

    @Test(
        arguments: [
            ("get", #"{"code":1,"message":"x"}"#, true), ("get", #"{"code":8,"message":"x"}"#, false),
            ("get", #"{"code":1}"#, false), ("get", #"{"code":1,"message":"x","hint":"y"}"#, false),
            ("ping", #"{"code":-32602,"message":"x"}"#, true), ("ping", #"{"code":1,"message":"x"}"#, false),
            ("set", #"{"code":-32603,"message":"x"}"#, false), ("link", #"{"code":7,"message":"x"}"#, true),
            ("remove", #"{"code":7,"message":"x"}"#, false),
            ("fetch", #"{"code":-32601,"message":"x"}"#, true),
            ("transaction", #"{"code":-32601,"message":"x"}"#, true),
            ("get", #"{"code":-32601,"message":"x"}"#, false),
        ]
    )
    func `errors are listed or not`(method: String, error: String, isValid: Bool) throws {
        let faults = try DescribedProtocolTests.validator().faults(error: try Value(json: error), of: method)
        #expect(faults.isEmpty == isValid, "\(faults)")
    }

    @Test(
        arguments: [
            (#"{"subscription":1,"path":"a","reason":"initial","new":1,"revision":4}"#, true),
            (#"{"subscription":1,"path":"a","reason":"initial","new":1}"#, false),
            (#"{"subscription":1,"path":"a","reason":"other","new":1,"revision":4}"#, false),
            (#"{"subscription":1,"path":"a","reason":"initial","new":1,"revision":4,"x":0}"#, false),
            (
                #"{"subscription":1,"path":"a","reason":"valueChanged","origin":{"pid":1,"uid":2},"revision":4}"#,
                true
            ),
            (
                #"{"subscription":1,"path":"a","reason":"valueChanged","origin":{"pid":1},"revision":4}"#,
                false
            ),
        ]
    )
    func `events are valid or not`(params: String, isValid: Bool) throws {
        let event = try Value(json: #"{"jsonrpc":"2.0","method":"change","params":\#(params)}"#)
        let faults = try DescribedProtocolTests.validator().faults(notification: event)
        #expect(faults.isEmpty == isValid, "\(faults)")
    }

    @Test func `an answer without its request is a fault, and so is an unknown keyword`() throws {
        var validator = try DescribedProtocolTests.validator()
        #expect(!validator.receive(#"{"jsonrpc":"2.0","id":1,"result":{}}"#).isEmpty)
        validator.send(#"{"id":1,"method":"ping"}"#)
        #expect(validator.receive(#"{"jsonrpc":"2.0","id":1,"result":{}}"#).isEmpty)
        #expect(!validator.receive(#"{"jsonrpc":"2.0","id":1,"result":{}}"#).isEmpty)
        let schemas = SchemaValidator(["a": ["type": "string"]])
        #expect(schemas.faults("x", ["$ref": "#/a"], at: "").isEmpty)
        #expect(!schemas.faults("x", ["$ref": "#/b"], at: "").isEmpty)
        #expect(!schemas.faults("x", ["format": "date"], at: "").isEmpty)
        #expect(!schemas.faults("x", ["anyOf": []], at: "").isEmpty)
    }
}
