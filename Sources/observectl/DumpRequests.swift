// SPDX-License-Identifier: MIT
// The requests of one dump, part after part. Independent of what its text is for.

import ObserveCore

extension ClientConnection {
    /// Requests a dump, and passes on the text of each part.
    ///
    /// - Parameter path: nil for all models.
    func dump(
        _ path: RawJSON?,
        until deadline: MonotonicTime?,
        _ body: ([UInt8]) throws(CommandError) -> Void
    ) throws(CommandError) {
        var part: Int64 = 0
        var hasMore = true
        while hasMore {
            var params: RequestParams = ["part": RawJSON(.int(part))]
            if part == 0, let path { params.append("path", path) }
            let answer = try attempt { () throws(ClientError) in try call("dump", params, until: deadline) }
            try body(try answer.required("text").unquoted)
            hasMore = try answer.required("more").bytes == Array("true".utf8)
            part += 1
        }
    }
}
