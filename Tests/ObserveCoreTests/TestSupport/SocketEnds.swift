// SPDX-License-Identifier: MIT
// Ends of connected sockets, which only tests use.

import CLinux
import Glibc

@testable import ObserveCore

extension EpollEvents {
    /// The peer ended its output.
    static let readHangUp = EpollEvents(rawValue: EPOLLRDHUP.rawValue)
}
