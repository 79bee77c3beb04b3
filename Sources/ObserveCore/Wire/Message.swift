// SPDX-License-Identifier: MIT
// Writes the daemon's messages: answers, change events, `goodbye`. Independent of the receiver.

extension ByteBuffer {
    /// Begins an answer. Its result and ``endResponse()`` follow.
    @inline(__always) func beginResponse(id: ByteView) {
        append("{\"jsonrpc\":\"2.0\",\"id\":")
        append(id)
        append(",\"result\":")
    }

    @inline(__always) func endResponse() { append(0x7D) }

    /// Begins the result of a write. Other members or the closing brace follow.
    func beginWriteResult(_ revision: UInt64, changed: Bool?) {
        append("{\"revision\":", revision)
        if let changed { append(changed ? ",\"changed\":true" : ",\"changed\":false") }
    }

    /// Appends a complete answer line for a write without further result members.
    @inline(__always) func appendWriteAnswer(id: ByteView, _ revision: borrowing DecimalText, changed: Bool) {
        append(atMost: id.count &+ 100) { writer in
            writer.put("{\"jsonrpc\":\"2.0\",\"id\":")
            writer.put(id)
            writer.put(",\"result\":{\"revision\":")
            writer.put(revision)
            if changed { writer.put(",\"changed\":true}}\n") } else { writer.put(",\"changed\":false}}\n") }
        }
    }

    /// Appends a change event up to its subscription's number: the only part that differs between subscribers.
    @inline(__always) func appendChangeHead(subscription: Int32) {
        append("{\"jsonrpc\":\"2.0\",\"method\":\"change\",\"params\":{\"subscription\":")
        append(decimal: UInt64(UInt32(bitPattern: subscription)))
    }

    func append(tag json: [UInt8]) {
        append(",\"tag\":")
        append(contentsOf: json)
    }

    @inline(__always) static var firstChangeHead: StaticString {
        "{\"jsonrpc\":\"2.0\",\"method\":\"change\",\"params\":{\"subscription\":1"
    }

    @inline(__always) static var firstChangeHeadCount: Int { ByteBuffer.firstChangeHead.utf8CodeUnitCount }

    /// - Parameter revision: the last commit that the lines before show.
    func appendGoodbye(_ reason: String, revision: UInt64? = nil) {
        append("{\"jsonrpc\":\"2.0\",\"method\":\"goodbye\",\"params\":{\"reason\":", reason)
        if let revision { append(",\"revision\":", revision) }
        append("}}\n")
    }
}
