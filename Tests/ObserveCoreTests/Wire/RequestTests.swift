// SPDX-License-Identifier: MIT
// Requests are parsed, and other lines are refused.

import Testing

@testable import ObserveCore

@Suite struct RequestTests {
    /// The parts of a parsed request, for comparison.
    struct Parsed: Equatable {
        var id: String?
        var method: String
        var params: String
        var members: [String]
    }

    private func parse(_ line: String, maxDepth: Int = 16) throws(WireError) -> Parsed {
        let request = Request(maxDepth: maxDepth)
        return try parse(line, with: request)
    }

    private func parse(_ line: String, with request: Request) throws(WireError) -> Parsed {
        try ByteView.with(line) { (view) throws(WireError) in
            try request.parse(view)
            let params =
                switch request.params {
                case .none: "none"
                case .object: "object"
                case .array: "array"
                case .unstructured: "unstructured"
                }
            return Parsed(
                id: request.id?.string,
                method: request.method.string,
                params: params,
                members: ParamName.allCases.compactMap { name in
                    request.value(name).map { "\(name.text)=\($0.view.string)" }
                } + (request.unknownParam.map { ["?\($0.decodedString())"] } ?? [])
            )
        }
    }

    @Test(
        arguments: [
            (#"{"method":"m"}"#, nil, "m", "none", []),
            (#"{"jsonrpc":"2.0","id":1,"method":"m","params":{}}"#, "1", "m", "object", []),
            (#" { "jsonrpc" : "2.0" , "id" : "x" , "method" : "m" } "#, "\"x\"", "m", "none", []),
            (#"{"id":null,"method":"m"}"#, "null", "m", "none", []),
            (#"{"id":-1.50e3,"method":"m"}"#, "-1.50e3", "m", "none", []),
            (
                #"{"id":123456789012345678901234567890,"method":"m"}"#,
                "123456789012345678901234567890", "m", "none", []
            ),
            (#"{"id":"\u0041\n","method":"m"}"#, #""\u0041\n""#, "m", "none", []),
            (#"{"id":"","method":""}"#, "\"\"", "", "none", []),
            (
                #"{"\u0069d":7,"m\u0065thod":"\u006d","p\u0061rams":{"\u006fld":1}}"#, "7", "m", "object",
                ["old=1"]
            ),
            (#"{"jsonrp\u0063":"2\u002e0","method":"m"}"#, nil, "m", "none", []),
            (
                #"{"method":"m","params":{"old":[1,{"b":2}],"weak":"d","x":1,"y":2}}"#, nil, "m", "object",
                [#"weak="d""#, #"old=[1,{"b":2}]"#, "?x"]
            ),
            (#"{"method":"m","params":[]}"#, nil, "m", "array", []),
            (#"{"method":"m","params":[1,2]}"#, nil, "m", "array", []),
            (#"{"method":"m","params":null}"#, nil, "m", "unstructured", []),
            (#"{"method":"m","params":"p"}"#, nil, "m", "unstructured", []),
            (#"{"id":1,"id":2,"method":"a","method":"b"}"#, "2", "b", "none", []),
            (#"{"params":{"old":1,"x":2},"method":"m","params":{"weak":2}}"#, nil, "m", "object", ["weak=2"]),
            (#"{"params":[1],"method":"m","params":{"weak":2}}"#, nil, "m", "object", ["weak=2"]),
            (#"{"params":{"b":2},"method":"m","params":3}"#, nil, "m", "unstructured", []),
            // Of repeated members the last one counts, even if the others are faulty.
            (#"{"jsonrpc":"1.0","jsonrpc":"2.0","method":"m"}"#, nil, "m", "none", []),
            (#"{"id":{},"id":3,"method":"m"}"#, "3", "m", "none", []),
            (#"{"method":1,"method":"m"}"#, nil, "m", "none", []),
        ] as [(String, String?, String, String, [String])]
    )
    func `requests are parsed`(
        line: String,
        id: String?,
        method: String,
        params: String,
        members: [String]
    ) throws {
        let expected = Parsed(id: id, method: method, params: params, members: members)
        #expect(try parse(line) == expected)
    }

    @Test(
        arguments: [
            ("1", "a request is a JSON object", nil),
            ("null", "a request is a JSON object", nil),
            ("true", "a request is a JSON object", nil),
            (#""x""#, "a request is a JSON object", nil),
            ("[]", "a request is a JSON object", nil),
            (#"[{"id":1}]"#, "a request is a JSON object", nil),
            ("{}", "a request names its method", nil),
            (#"{"id":1}"#, "a request names its method", "1"),
            (#"{"id":1,"params":{}}"#, "a request names its method", "1"),
            (#"{"id":1,"method":null}"#, "a method is a string", "1"),
            (#"{"method":5,"id":"a"}"#, "a method is a string", "\"a\""),
            (#"{"id":1,"method":"m","method":[]}"#, "a method is a string", "1"),
            (#"{"id":true,"method":"m"}"#, "an id is a string, a number or null", nil),
            (#"{"id":[1],"method":"m"}"#, "an id is a string, a number or null", nil),
            (#"{"id":{"id":1},"method":"m"}"#, "an id is a string, a number or null", nil),
            (#"{"id":1,"method":"m","id":false}"#, "an id is a string, a number or null", nil),
            (
                #"{"jsonrpc":"1.0","id":4,"method":"m"}"#,
                "the jsonrpc member, where it is given, is the string 2.0", "4"
            ),
            (
                #"{"id":4,"method":"m","jsonrpc":2.0}"#,
                "the jsonrpc member, where it is given, is the string 2.0", "4"
            ),
            (
                #"{"id":4,"method":"m","jsonrpc":"2.0","jsonrpc":null}"#,
                "the jsonrpc member, where it is given, is the string 2.0", "4"
            ),
        ] as [(String, String, String?)]
    )
    func `a line that is not a request is refused with its id`(line: String, message: String, id: String?) {
        let request = Request(maxDepth: 16)
        #expect(throws: WireError(.invalidRequest, message)) { try parse(line, with: request) }
        // The id is a slice of the line, so parse it while the line is valid.
        ByteView.with(line) { view in
            try? request.parse(view)
            #expect(request.id?.string == id)
        }
    }

    @Test(
        arguments: [
            ("{", "an early end of the text at byte 1"),
            (#"{"id":1,"method":"m""#, "an early end of the text at byte 20"),
            (#"{"id":1,"method":"m"}x"#, "more text after the value at byte 21"),
            (#"{"id":1,"method":"m"} {"id":2}"#, "more text after the value at byte 22"),
            (#"{"id":01}"#, "a leading zero at byte 6"),
            (#"{"id":1,}"#, "a missing string at byte 8"),
            (#"{"method":"\x"}"#, "an unknown escape at byte 11"),
            (#"{"method":"\ud800"}"#, "a lone surrogate at byte 11"),
            (#"{"params":{"a":tru}}"#, "an unknown word at byte 15"),
            (#"{"params":{"a" 1}}"#, "a missing colon at byte 15"),
            ("{\"method\":\"a\tb\"}", "a control character in a string at byte 12"),
            ("hello", "an unknown word at byte 0"),
            ("\u{FEFF}{}", "a byte order mark at byte 0"),
            ("{'id':1}", "a missing string at byte 1"),
        ] as [(String, String)]
    )
    func `faulty JSON is refused at its fault`(line: String, place: String) {
        #expect(throws: WireError(.parseError, "the line is not JSON: \(place)")) { try parse(line) }
    }

    @Test func `nesting is limited in params and in unknown members`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(#"{"method":"m","params":{"a":\#(nested(8))}}"#, maxDepth: 16)
        for line in [
            #"{"id":7,"method":"m","params":{"a":\#(nested(10_000))}}"#,
            #"{"id":7,"method":"m","x":\#(nested(500_000))}"#,
            #"{"method":"m","params":{"a":\#(nested(500_000)),"b":1},"id":7}"#,
            #"{"params":[\#(nested(65)),{"id":8}],"id":7,"method":"m"}"#,
        ] {
            let request = Request(maxDepth: 16)
            let error = #expect(throws: WireError.self) { try parse(line, with: request) }
            #expect(error?.code == .limitExceeded)
            #expect(request.id.map(\.string) == "7")
        }
        for line in [String(repeating: "{\"a\":", count: 10_000), #"{"id":7,"params":\#(nested(100)),}"#] {
            #expect(throws: WireError.self) { try parse(line, maxDepth: 16) }
            let error = #expect(throws: WireError.self) { try parse(line, maxDepth: 16) }
            #expect(error?.code == .parseError)
        }
    }

    @Test(arguments: ["dryRun", "parms", "", "Method"])
    func `a request with an unknown member is refused`(name: String) {
        let sentence = "a request has jsonrpc, id, method and params, and no member \(name)"
        for members in [#""method":"m","\#(name)":true"#, #""\#(name)":1,"x":2,"method":"m""#] {
            let (request, line) = (Request(maxDepth: 16), "{\"id\":7,\(members)}")
            #expect(throws: WireError.invalidRequest(sentence)) { try parse(line, with: request) }
            #expect(request.id.map(\.string) == "7")
        }
    }

    @Test func `an id's line separators are escaped, whatever the lines before`() throws {
        let request = Request(maxDepth: 16)
        for (id, written) in [
            ("é", "é"), ("\u{2028}", #"\u2028"#), ("a\u{85}\\n", #"a\u0085\n"#), ("e", "e"),
        ] {
            #expect(
                try parse(#"{"id":"\#(id)","method":"m","params":{"path":1}}"#, with: request).id
                    == "\"\(written)\""
            )
        }
    }

    @Test func `a request does not affect the next one`() throws {
        let request = Request(maxDepth: 16)
        _ = try parse(#"{"id":1,"method":"a","params":{"x":1}}"#, with: request)
        let next = try parse(#"{"method":"b"}"#, with: request)
        #expect(next == Parsed(id: nil, method: "b", params: "none", members: []))
        #expect(throws: WireError.self) { try parse(#"{"id":1,"method":5}"#, with: request) }
        #expect(try parse(#"{"method":"c"}"#, with: request).id == nil)
        #expect(throws: WireError.self) { try parse(#"{"id":9,"method":"m","params":{"#, with: request) }
        #expect(request.id == nil)
        #expect(!request.isNotification)
    }
}

@Suite struct ParamsTests {
    private func params<R>(_ json: String, _ body: (Request) throws(WireError) -> R) throws(WireError) -> R {
        let request = Request(maxDepth: 16)
        return try ByteView.with(#"{"method":"m","params":\#(json)}"#) { (view) throws(WireError) in
            try request.parse(view)
            return try body(request)
        }
    }

    @Test func `unknown params are named`() throws {
        try params(#"{"old":1,"weak":2}"#) { (p) throws(WireError) in try p.allow([.old, .weak]) }
        #expect(throws: WireError.invalidParams("m has no param \u{7}x")) {
            try params(#"{"old":1,"\u0007x":2}"#) { (p) throws(WireError) in try p.allow([.old]) }
        }
        #expect(throws: WireError.invalidParams("m has no param weak")) {
            try params(#"{"weak":2}"#) { (p) throws(WireError) in try p.allow([.old]) }
        }
    }

    @Test(arguments: ParamName.allCases)
    func `each param name is distinct`(name: ParamName) throws {
        let escaped = "\\u\(String(UInt32("\(name.text)".unicodeScalars.first!.value), radix: 16).leftPadded)"
        for text in ["\(name.text)", escaped + "\(name.text)".dropFirst()] {
            let found = try params("{\"\(text)\":1}") { (p) throws(WireError) in p.value(name)?.int64() }
            #expect(found == 1)
        }
        for text in [
            "\(name.text)x", "x\(name.text)", String("\(name.text)".dropLast()), "\(name.text)".uppercased(),
        ] {
            let found = try params("{\"\(text)\":1}") { (p) throws(WireError) in p.value(name) == nil }
            #expect(found)
        }
    }

    @Test(arguments: [
        (#"{"old":true}"#, true), (#"{"old":false}"#, false), ("{}", true),
        (#"{"old":false,"\u006fld":true}"#, true),
    ])
    func `booleans are parsed`(json: String, expected: Bool) throws {
        let found = try params(json) { (p) throws(WireError) in try p.bool(.old, default: true) }
        #expect(found == expected)
    }

    @Test(arguments: ["1", "null", "\"true\"", "[]", "{}"])
    func `other values than booleans are refused`(value: String) {
        #expect(throws: WireError.invalidParams("the param old is true or false")) {
            try params(#"{"old":\#(value)}"#) { (p) throws(WireError) in try p.bool(.old, default: true) }
        }
    }

    @Test(arguments: ["-1", "1.5", "1.0", "\"1\"", "null", "true", "99999999999999999999", "[1]"])
    func `other values than revisions are refused`(value: String) {
        #expect(
            throws: WireError.invalidParams("the param old is a revision: an integer that is not negative")
        ) {
            try params(#"{"old":\#(value)}"#) { (p) throws(WireError) in try p.revision(.old) }
        }
    }

    @Test func `revisions and strings are parsed`() throws {
        let largest = try params(#"{"old":9223372036854775807}"#) { (p) throws(WireError) in
            try p.revision(.old)
        }
        #expect(largest == 9_223_372_036_854_775_807)
        #expect(try params("{}") { (p) throws(WireError) in try p.revision(.old) } == nil)
        #expect(try params(#"{"old":"\u00e9"}"#) { (p) throws(WireError) in try p.string(.old) } == "é")
        #expect(throws: WireError.invalidParams("the param old is a string")) {
            try params(#"{"old":5}"#) { (p) throws(WireError) in try p.string(.old) }
        }
        #expect(throws: WireError.invalidParams("m needs the param old")) {
            try params("{}") { (p) throws(WireError) in _ = try p.required(.old) }
        }
    }
}

extension String {
    fileprivate var leftPadded: String { String(repeating: "0", count: 4 - count) + self }
}
