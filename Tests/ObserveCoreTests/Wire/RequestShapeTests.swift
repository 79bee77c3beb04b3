// SPDX-License-Identifier: MIT
// Lines that differ from earlier ones only in their values.

import Testing

@testable import ObserveCore

/// A parser that knows the shape of a line gives the same result as a new parser.
@Suite struct RequestShapeTests {
    private static let templates = [
        #"{"jsonrpc":"2.0","id":#,"method":"set","params":{"path":#,"value":#}}"#,
        #"{"id":#,"method":"set","params":{"path":#,"value":#,"ifRevision":#}}"#,
        #"{"method":"set","params":{"value":#,"path":#}}"#,
        #"{"params":{"path":#},"id":#,"method":"get"}"#,
        #" { "id" : # , "method" : "get", "params" : { "path" : # } } "#,
        #"{"id":#,"method":"transaction","params":{"operations":[#,#]}}"#,
        #"{"id":#,"method":"ping"}"#,
        #"{"id":#,"method":"ping","params":{}}"#,
        #"{"id":#,"id":#,"method":"get","params":{"path":#}}"#,
        #"{"id":#,"method":"get","params":{"path":#,"path":#}}"#,
        #"{"id":#,"method":"get","params":{"p\u0061th":#}}"#,
        #"{"id":#,"m\u0065thod":"g\u0065t","params":{"path":#}}"#,
        #"{"id":#,"method":"get","params":{"path":#,"more":#}}"#,
        #"{"id":#,"method":"get","other":#,"params":{"path":#}}"#,
        #"{"jsonrpc":#,"id":#,"method":"get","params":{"path":#}}"#,
        #"{"id":#,"method":#,"params":{"path":#}}"#,
        #"{"id":#,"method":"get","params":#}"#,
    ]
    private static let values = [
        "1", "123456789012", "-2.5e3", "\"a.b\"", "\"text of some length\"", "\"\\u0061\"", "\"é\"", "null",
        "true", "[1,{\"a\":2}]", "{}", "\"2.0\"",
        " 7", "8 ",
        "\"\"", "01", "\"open", "nul", "[1", "1,2", "", "\"a\",\"b\":1", "\"\u{1}\"",
    ]

    private func understood(_ line: String, by request: Request) -> String {
        ByteView.with(line) { view in
            do throws(WireError) {
                try request.parse(view)
            } catch {
                return
                    "\(error.code.rawValue) \(error.message) \(request.id?.string ?? "-") \(request.isNotification)"
            }
            return RequestShapeTests.text(of: request)
        }
    }

    private static func text(of request: Request) -> String {
        let params = ParamName.allCases.compactMap { name in
            request.value(name).map { "\(name.text)=\($0.kind) \($0.hasEscapes) \($0.view.string)" }
        }
        let unknown = request.unknownParam.map { $0.decodedString() } ?? "-"
        return
            "\(request.id?.string ?? "-") \(request.method.string) \(request.params) \(params) \(unknown) \(request.isNotification)"
    }

    private static func line(
        _ templates: inout [String],
        isBroken: Bool,
        _ random: inout SeededGenerator
    ) -> String {
        // Few templates at a time, so that most lines have a known shape.
        if templates.isEmpty || Int.random(in: 0..<20, using: &random) == 0 {
            templates = (0..<3).map { _ in RequestShapeTests.templates.randomElement(using: &random) ?? "" }
        }
        var line = ""
        for part in templates.randomElement(using: &random)?.split(separator: "#") ?? [] {
            if !line.isEmpty {
                let choices = isBroken ? RequestShapeTests.values[...] : RequestShapeTests.values[..<9]
                line += choices.randomElement(using: &random) ?? ""
            }
            line += part
        }
        return line
    }

    /// The first line of a stream is recognized as itself or not at all, regardless of further input.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the first line of a stream is recognized correctly`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let request = Request(maxDepth: 2)
        var templates: [String] = []
        var recognized = 0
        for _ in 0..<300 {
            let isBroken = Int.random(in: 0..<4, using: &random) == 0
            let line = RequestShapeTests.line(&templates, isBroken: isBroken, &random)
            let next = RequestShapeTests.line(&templates, isBroken: false, &random)
            let stream = line + ["\n", "", "\n\n", " \n", "\r\n"].randomElement(using: &random)! + next
            let found = ByteView.with(stream) { view in
                request.recognize(firstOf: view).map {
                    (view.prefix($0).string, RequestShapeTests.text(of: request))
                }
            }
            if let found {
                recognized += 1
                #expect(stream.hasPrefix(line + "\n"), "\(stream)")
                #expect(found.0 == line)
                #expect(found.1 == understood(line, by: Request(maxDepth: 2)), "\(line)")
            }
            _ = understood(line, by: request)
        }
        #expect(recognized > 5)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `lines of known shapes are parsed like new lines`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let request = Request(maxDepth: 2)
        var templates: [String] = []
        for _ in 0..<400 {
            let isBroken = Int.random(in: 0..<4, using: &random) == 0
            let line = RequestShapeTests.line(&templates, isBroken: isBroken, &random)
            #expect(understood(line, by: request) == understood(line, by: Request(maxDepth: 2)), "\(line)")
        }
    }

    @Test func `a line whose id has escapes defines no shape`() {
        let request = Request(maxDepth: 2)
        let line = #"{"id":1,"method":"get","params":{"path":"a"}}"#
        _ = understood(line, by: request)
        let escaped = #"{"id":"\u0061","method":"set","params":{"path":"a","value":1}}"#
        #expect(understood(escaped, by: request) == understood(escaped, by: Request(maxDepth: 2)))
        // The shape of the first line is still the one to compare with.
        let stream = line + "\n"
        let length = ByteView.with(stream) { request.recognize(firstOf: $0) }
        #expect(length == line.utf8.count)
    }
}
