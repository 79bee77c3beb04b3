// SPDX-License-Identifier: MIT
// A piece of JSON as it was written: what a client passes on without reading it. Knows nothing of messages.

/// One JSON value in its own bytes, valid and in one line, so that numbers keep their form and members their order.
///
/// - Errors: making one from text throws the ``JSONError`` of what is wrong with it. Numbers beyond our range are
///   valid JSON; ``value()`` alone refuses them.
/// - Threading: a plain value.
package struct RawJSON: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Takes over `text`, whose line breaks, which can only stand between tokens, become spaces.
    package init(validating text: [UInt8], maxDepth: Int = Value.depthLimit) throws(JSONError) {
        let trimmed = try ByteView.with(text) { (view) throws(JSONError) in
            try JSONScanner.validate(view, maxDepth: maxDepth).view.array
        }
        bytes = trimmed.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    }

    package init(_ value: Value) {
        let buffer = ByteBuffer()
        value.write(to: buffer)
        bytes = buffer.array
    }

    /// An array of these.
    package init(array elements: [RawJSON]) {
        bytes = [0x5B] + elements.map(\.bytes).joined(separator: [0x2C]) + [0x5D]
    }

    /// Takes over what is known to be valid, and in one line.
    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Copies a value out of a line, which has no line breaks.
    init(copying view: JSONView) { bytes = view.view.array }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// A string without quotes and escapes, anything else as it is written: what `jq -r` prints.
    package var unquoted: [UInt8] {
        with { (json) -> [UInt8] in
            guard json.kind == .string else { return bytes }
            let buffer = ByteBuffer(capacity: bytes.count)
            json.appendDecoded(to: buffer)
            return buffer.array
        }
    }

    /// The member of that name, of several the last; nil if there is none or this is no object.
    package func member(_ name: String) -> RawJSON? {
        with { json in
            var found: JSONView?
            json.forEachMember { if $0.decodedString() == name { found = $1 } }
            return found.map(RawJSON.init(copying:))
        }
    }

    /// The elements of an array; none if this is none.
    package var elements: [RawJSON] {
        with { json in
            var found: [RawJSON] = []
            if json.kind == .array { json.forEachElement { found.append(RawJSON(copying: $0)) } }
            return found
        }
    }

    package func value() throws(JSONError) -> Value {
        try Value(json: bytes, maxDepth: Value.depthLimit)
    }

    private func with<R>(_ body: (JSONView) -> R) -> R {
        ByteView.with(bytes) { body(JSONView(validated: $0)) }
    }
}
