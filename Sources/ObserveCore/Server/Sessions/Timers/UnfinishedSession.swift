// SPDX-License-Identifier: MIT
// A session in the timer queue, which does not keep it alive.

/// A session that had something unfinished when its last turn ended.
struct UnfinishedSession {
    weak var session: Session?
}
