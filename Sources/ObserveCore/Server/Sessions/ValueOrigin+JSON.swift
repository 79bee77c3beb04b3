// SPDX-License-Identifier: MIT
// The origin of a change, as in events for subscribers with `origin`. Independent of the kernel.

extension Lifetime {
    /// A number for each lifetime, never 0.
    var code: Int64 {
        switch self {
        case .connection: -1
        case .milliseconds(let milliseconds): milliseconds &+ 1
        }
    }

    init?(code: Int64) {
        switch code {
        case 0: return nil
        case -1: self = .connection
        default: self = .milliseconds(code &- 1)
        }
    }
}

extension ValueOrigin {
    /// Appends a process, or the end of a lifetime; and the binding that wrote. See `docs/protocol.md`, "Origin".
    func write(to out: ByteBuffer) {
        switch Lifetime(code: author.occasion) {
        case nil:
            out.append("{\"pid\":", author.process)
            out.append(",\"uid\":", author.user)
        case .connection: out.append("{\"lifetime\":\"connection\"")
        case .milliseconds(let milliseconds): out.append("{\"lifetime\":", milliseconds)
        }
        if let binding = cause.binding { out.append(",\"binding\":", binding) }
        out.append(0x7D)
    }
}

extension ByteBuffer {
    func append(_ head: StaticString, _ origin: ValueOrigin?) {
        guard let origin else { return }
        append(head)
        origin.write(to: self)
    }
}

extension CommitAuthor {
    init(_ peer: PeerCredentials) { self.init(process: peer.pid, user: peer.uid, group: peer.gid) }
}
