// SPDX-License-Identifier: MIT
// A time as text, for clients. Independent of clocks and events.

extension Platform {
    /// A time, in milliseconds since 1970, after RFC 3339, in UTC: `2026-01-31T23:59:59.999Z`.
    package static func text(ofTime milliseconds: Int64) -> String {
        let text = ByteBuffer()
        text.append(rfc3339: milliseconds)
        return text.string
    }
}
