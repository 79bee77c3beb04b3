// SPDX-License-Identifier: MIT
// A JSON value in its written form. Independent of messages.

/// One valid JSON value in its own bytes, without line feeds. Numbers keep their form and members their order.
/// - Errors: a faulty text throws a ``JSONError``. Numbers out of range are valid JSON; only ``value()`` refuses them.
package struct RawJSON: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Validates `text`. Line breaks, which can only occur between tokens, become spaces.
    package init(validating text: [UInt8], maxDepth: Int = Value.depthLimit) throws(JSONError) {
        try self.init(validating: text[...], maxDepth: maxDepth)
    }

    /// Validates a piece of other bytes, and copies the value.
    package init(validating text: ArraySlice<UInt8>, maxDepth: Int = Value.depthLimit) throws(JSONError) {
        bytes = try ByteView.with(text) { (view) throws(JSONError) in
            let value = try JSONScanner.validate(view, maxDepth: maxDepth).view
            let hasBreaks =
                value.firstIndex(of: 0x0A, from: 0) != nil || value.firstIndex(of: 0x0D, from: 0) != nil
            return hasBreaks ? value.array.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } : value.array
        }
    }

    package init(_ value: Value) { self.init { value.write(to: $0) } }

    package init(array elements: [RawJSON]) {
        self.init { out in out.append(arrayOf: elements) { out.append(contentsOf: $0.bytes) } }
    }

    /// A value that `body` writes: valid JSON in one line.
    package init(writing body: (ByteBuffer) -> Void) {
        let buffer = ByteBuffer()
        body(buffer)
        bytes = buffer.array
    }

    init(copying view: JSONView) { bytes = view.view.array }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// A string without quotes and escapes; other values in their written form, like `jq -r`.
    package var unquoted: [UInt8] {
        with { (json) -> [UInt8] in
            guard json.kind == .string else { return bytes }
            let buffer = ByteBuffer(capacity: bytes.count)
            json.appendDecoded(to: buffer)
            return buffer.array
        }
    }

    /// The last member of that name; nil if there is none or this is not an object.
    package func member(_ name: String) -> RawJSON? {
        with { json in
            var found: JSONView?
            for (member, value) in json.members where member.decodedString() == name { found = value }
            return found.map(RawJSON.init(copying:))
        }
    }

    /// The members of an object, in their order; nil for other kinds.
    package var members: [(name: String, value: RawJSON)]? {
        with { json in
            guard json.kind == .object else { return nil }
            return json.members.map { ($0.decodedString(), RawJSON(copying: $1)) }
        }
    }

    /// The elements of an array; empty for other kinds.
    package var elements: [RawJSON] { with { json in json.elements.map(RawJSON.init(copying:)) } }

    package func value() throws(JSONError) -> Value { try Value(json: bytes, maxDepth: Value.depthLimit) }

    private func with<R>(_ body: (JSONView) -> R) -> R {
        ByteView.with(bytes) { body(JSONView(validated: $0)) }
    }
}

extension RawJSON: ExpressibleByBooleanLiteral, ExpressibleByStringLiteral {
    package init(booleanLiteral value: Bool) { self.init(.bool(value)) }
    package init(stringLiteral value: String) { self.init(.string(value)) }
}
