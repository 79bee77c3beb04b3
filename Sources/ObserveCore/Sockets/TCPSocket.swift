// SPDX-License-Identifier: MIT
// Connections to servers of other programs over TCP. Independent of the bytes on them; a daemon never makes one.

internal import CLinux

package enum TCPSocket {
    /// Connects to the first address of the host that accepts. The connection does not block.
    /// - Threading: blocks its thread until a name server has answered, and at most until `deadline` for connecting.
    package static func connect(
        host: String,
        port: UInt16,
        until deadline: MonotonicTime
    ) throws(SocketError) -> FileDescriptor {
        let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard failure == 0 else { throw .systemCall("getaddrinfo", path: place, code: failure) }
        defer { unsafe freeaddrinfo(list) }
        var last = SocketError.systemCall("connect", path: place, code: EHOSTUNREACH)
        var addresses = unsafe [addrinfo]()
        var next = unsafe list
        while let entry = unsafe next {
            unsafe addresses.append(entry.pointee)
            unsafe next = entry.pointee.ai_next
        }
        for index in unsafe addresses.indices {
            // One that never answers leaves the others their time.
            let now = MonotonicTime.now
            let share = unsafe now.nanoseconds(until: deadline) / UInt64(addresses.count - index)
            do throws(SocketError) {
                return try unsafe connect(addresses[index], place, now.adding(nanoseconds: share))
            } catch { last = error }
        }
        throw last
    }

    private static func connect(
        _ address: addrinfo,
        _ place: String,
        _ deadline: MonotonicTime
    ) throws(SocketError) -> FileDescriptor {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let end = try Syscall.open("socket", place) { unsafe socket(address.ai_family, kind, 0) }
        // Puts are small, and each of them is awaited.
        var isOn: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        try Syscall.check("setsockopt", place) {
            unsafe setsockopt(end.number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
        }
        let call = Syscall.run { unsafe CLinux.connect(end.number, address.ai_addr, address.ai_addrlen) }
        guard call.hasFailed else { return end }
        guard call.code == EINPROGRESS else { throw .systemCall("connect", path: place, code: call.code) }
        guard !Poll.wait(for: [(end.number, .writable)], until: deadline)[0].isEmpty
        else { throw .systemCall("connect", path: place, code: ETIMEDOUT) }
        var code: Int32 = 0
        var length = size
        try Syscall.check("getsockopt", place) {
            unsafe getsockopt(end.number, SOL_SOCKET, SO_ERROR, &code, &length)
        }
        if code != 0 { throw .systemCall("connect", path: place, code: code) }
        return end
    }
}
