// SPDX-License-Identifier: MIT
// The time of day as text, for clients. Independent of events.

extension Platform {
    /// The time of day after RFC 3339, in UTC: `2026-01-31T23:59:59.999Z`.
    package static var timeOfDayText: String {
        let text = ByteBuffer()
        text.append(rfc3339: timeOfDay)
        return text.string
    }
}
