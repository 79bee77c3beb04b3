// SPDX-License-Identifier: MIT
// Checks lines of a connection against the answer of `rpc.discover`. Independent of transports.

package import ObserveCore

/// A connection whose lines are checked against the daemon's own document.
package struct ProtocolValidator {
    private let schemas: SchemaValidator
    /// The sent requests without an answer so far, by the text of their id.
    private var open: [String: [Value]] = [:]
    /// How many sent lines have no value, for example since a number is too large: the daemon must refuse them.
    private var unreadable = 0
    /// How many requests, results, errors and notifications have been checked.
    package private(set) var checked = Checked()

    package struct Checked {
        package var requests = 0
        package var results = 0
        package var errors = 0
        package var notifications = 0
    }

    /// The errors of requests that a document can't describe, or must not accept.
    private static let badRequests: Set<Int64> = [-32700, -32600, -32601, -32602]

    package init(document: Value) { schemas = SchemaValidator(document) }

    /// Notes a sent line. A request is checked when its answer shows that the daemon has understood it.
    package mutating func send(_ line: String) {
        guard let message = try? Value(json: line) else {
            unreadable += 1
            return
        }
        for request in message.array ?? [message] {
            guard let id = request["id"] else { continue }
            open[id.json, default: []].append(request)
        }
    }

    /// The faults of a received line, and of the requests that it answers.
    package mutating func receive(_ line: String) -> [String] {
        guard let message = try? Value(json: line) else { return ["the line is not JSON"] }
        return (message.array ?? [message]).flatMap { message in
            message["method"] == nil ? checkAnswer(message) : checkNotification(message)
        }
    }

    // MARK: Requests

    /// The faults of a request, apart from its effects.
    package func faults(request: Value) -> [String] {
        let unknown = (request.object ?? ValueMembers()).filter {
            !["jsonrpc", "id", "method", "params"].contains($0.name)
        }
        guard unknown.isEmpty else { return ["the request has unknown members"] }
        guard let name = request["method"]?.string, let method = method(name) else {
            return ["no such method"]
        }
        return faults(params: request["params"], method["params"], of: name)
    }

    private func faults(params: Value?, _ descriptors: Value?, of name: String) -> [String] {
        let given = params ?? .object(ValueMembers())
        guard let members = given.object else { return ["\(name): the params are not an object"] }
        var faults: [String] = []
        var known: Set<String> = []
        for descriptor in (descriptors?.array ?? []).compactMap({ schemas.resolved($0) }) {
            guard let param = descriptor["name"]?.string, let schema = descriptor["schema"] else {
                return ["\(name): a descriptor has no name or schema"]
            }
            known.insert(param)
            if let value = members[param] {
                faults += schemas.faults(value, schema, at: "\(name).\(param)")
            } else if descriptor["required"]?.bool == true {
                faults.append("\(name) lacks the param \(param)")
            }
        }
        return faults + members.filter { !known.contains($0.name) }.map { "\(name) has no param \($0.name)" }
    }

    private func method(_ name: String) -> Value? {
        schemas.document["methods"]?.array?.first { $0["name"]?.string == name }
    }

    // MARK: Answers

    private mutating func checkAnswer(_ answer: Value) -> [String] {
        guard let id = answer["id"], answer["jsonrpc"]?.string == "2.0", answer.object?.count == 3 else {
            return ["the answer's members are not jsonrpc, id, and result or error"]
        }
        guard let request = open[id.json]?.first else {
            checked.errors += 1
            if !id.isNull { unreadable -= 1 }
            let isRefused = answer["error"]?["code"]?.int.map(ProtocolValidator.badRequests.contains) == true
            return isRefused && unreadable >= 0 ? [] : ["no request has the id \(id.json)"]
        }
        open[id.json]?.removeFirst()
        return faults(answer: answer, to: request)
    }

    private mutating func faults(answer: Value, to request: Value) -> [String] {
        let name = request["method"]?.string ?? ""
        let code = answer["error"]?["code"]?.int
        var faults: [String] = []
        if code.map(ProtocolValidator.badRequests.contains) != true {
            checked.requests += 1
            faults += self.faults(request: request)
        }
        if let result = answer["result"] {
            checked.results += 1
            return faults + self.faults(result: result, of: name)
        }
        checked.errors += 1
        guard let error = answer["error"] else { return faults + ["\(name): neither a result nor an error"] }
        return faults + self.faults(error: error, of: name)
    }

    /// The faults of a method's result.
    package func faults(result: Value, of name: String) -> [String] {
        guard let descriptor = method(name)?["result"].flatMap({ schemas.resolved($0) }),
            let schema = descriptor["schema"]
        else { return ["\(name) has no result"] }
        return schemas.faults(result, schema, at: name)
    }

    /// The faults of a method's error.
    package func faults(error: Value, of name: String) -> [String] {
        guard let code = error["code"]?.int, let message = error["message"]?.string, !message.isEmpty else {
            return ["\(name): an error has a code and a message"]
        }
        let others = (error.object ?? ValueMembers()).filter {
            !["code", "message", "data"].contains($0.name)
        }
        guard others.isEmpty else { return ["\(name): the error has unknown members"] }
        guard let method = method(name) else {
            return code == -32601 || code == -32600 ? [] : ["no such method"]
        }
        // JSON-RPC's own: a request whose params are not an object.
        if code == -32600 { return [] }
        let listed = (method["errors"]?.array ?? []).compactMap { schemas.resolved($0) }
        return listed.contains { $0["code"]?.int == code } ? [] : ["\(name) does not list the error \(code)"]
    }

    // MARK: Notifications

    private mutating func checkNotification(_ message: Value) -> [String] {
        checked.notifications += 1
        return faults(notification: message)
    }

    /// The faults of a message that the daemon sends by itself.
    package func faults(notification message: Value) -> [String] {
        let name = message["method"]?.string ?? ""
        let described = schemas.document["x-notifications"]?.array?.first { $0["name"]?.string == name }
        guard let described, message.object?.count == 3, message["jsonrpc"]?.string == "2.0" else {
            return ["\(name) is not a notification"]
        }
        return faults(params: message["params"], described["params"], of: name)
    }
}
