// SPDX-License-Identifier: MIT
// Dumps and loads by requests, as a client does. Independent of the dump's contents.

@testable import ObserveCore

/// The answer to a request: its result, or its error, as values.
struct Reply: Error, Equatable {
    let value: Value
    var code: Int64? { value["code"]?.int }
    var message: String { value["message"]?.string ?? "" }
}

extension FakeClient {
    func request(_ method: String, _ params: [(String, Value)]) throws -> Value {
        let line = ByteBuffer()
        Value.object(
            ValueMembers([
                ("id", .int(1)), ("method", .string(method)), ("params", .object(ValueMembers(params))),
            ])
        ).write(to: line)
        let said = ask(line.string)
        let answer = try Value(json: Array((said.last ?? "{}").utf8), maxDepth: 200)
        if let result = answer["result"] { return result }
        throw Reply(value: answer["error"] ?? .null)
    }

    /// The text of a whole dump.
    func dump(_ path: String? = nil) throws -> String {
        var text = ""
        var part: Int64 = 0
        while true {
            var params: [(String, Value)] = [("part", .int(part))]
            if let path, part == 0 { params.append(("path", .string(path))) }
            let answer = try request("dump", params)
            text += answer["text"]?.string ?? ""
            if answer["more"] != .bool(true) { return text }
            part += 1
        }
    }

    /// Loads a text in pieces of that many characters.
    @discardableResult
    func load(_ text: String, at path: String? = nil, by pieceCount: Int = 1000) throws -> Value {
        var rest = Substring(text)
        var part: Int64 = 0
        while true {
            let piece = rest.unicodeScalars.prefix(pieceCount)
            rest = Substring(rest.unicodeScalars.dropFirst(pieceCount))
            var params: [(String, Value)] = [
                ("part", .int(part)), ("last", .bool(rest.isEmpty)), ("text", .string(String(piece))),
            ]
            if let path, part == 0 { params.append(("path", .string(path))) }
            let answer = try request("load", params)
            if rest.isEmpty { return answer }
            part += 1
        }
    }

    /// The error that refuses a text.
    func refusal(ofLoading text: String, at path: String? = nil, by pieceCount: Int = 1000) -> Reply? {
        do {
            try load(text, at: path, by: pieceCount)
            return nil
        } catch {
            return error as? Reply
        }
    }
}

extension String {
    /// The same file with a text replaced in one of its lines, and with matching checksums.
    func resealed(line number: Int, _ old: String, _ new: String) -> String {
        var bodies = checkedBodies
        let parts = bodies[number - 1].split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        precondition(parts.count == 2, "the line does not have \(old)")
        bodies[number - 1] = parts.joined(separator: new)
        return String.sealed(bodies)
    }

    /// The members of each line, without checksums.
    var checkedBodies: [String] {
        split(separator: "\n").map { line in
            ByteView.with(Array(line.utf8)) { CheckedLine.body(of: $0).string }.dropLast().description
        }
    }

    /// A file whose lines have these members.
    static func sealed(_ bodies: [String]) -> String {
        let out = ByteBuffer()
        for (index, body) in bodies.enumerated() {
            if index == 0 { CheckedLine.beginHead(out) } else { CheckedLine.begin(out) }
            out.append(utf8: body)
            CheckedLine.end(out)
        }
        var chain = LineChain()
        chain.seal(out)
        return out.string
    }

    /// A dump with those records, and with those bindings.
    static func dump(_ records: String, path: String? = nil, end: String = "") -> String {
        let path = path.map { #","path":"\#($0)""# } ?? ""
        return sealed([
            #""snapshot":2,"number":0,"revision":1,"epoch":"e"\#(path)"#, #""m":[\#(records)]"#,
            #""end":1,"instance":99,"binding":0\#(end),"lines":3"#,
        ])
    }
}
