// SPDX-License-Identifier: MIT
// Event lines without the member that says whether others of their frame follow.

extension String {
    /// The line without `"more":true`, for lines whose order is free.
    var withoutMore: String {
        guard let more = range(of: #","more":true"#) else { return self }
        return String(self[..<more.lowerBound] + self[more.upperBound...])
    }
}
