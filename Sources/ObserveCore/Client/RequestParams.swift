// SPDX-License-Identifier: MIT
// The params of a request that a client sends. Independent of methods.

/// Params by name, in the order in which the request has them.
package struct RequestParams: ExpressibleByDictionaryLiteral, Sendable {
    private var members: [(name: String, value: RawJSON)] = []

    /// Members without a value are left out.
    package init(dictionaryLiteral members: (String, RawJSON?)...) {
        self.members = members.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The members of a JSON object; nil for other kinds.
    package init?(_ object: RawJSON) {
        guard let members = object.members else { return nil }
        self.members = members
    }

    package var isEmpty: Bool { members.isEmpty }

    /// The params as a JSON object.
    package var json: RawJSON { RawJSON { write(to: $0) } }

    package static func + (left: RequestParams, right: RequestParams) -> RequestParams {
        var sum = left
        sum.members += right.members
        return sum
    }

    var sorted: RequestParams {
        var params = self
        params.members.sort { $0.name < $1.name }
        return params
    }

    func write(to buffer: ByteBuffer) {
        buffer.append(0x7B, members, 0x7D) {
            buffer.appendJSONString(utf8: $0.name)
            buffer.append(":")
            buffer.append(contentsOf: $0.value.bytes)
        }
    }
}
