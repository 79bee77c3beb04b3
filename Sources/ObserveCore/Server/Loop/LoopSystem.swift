// SPDX-License-Identifier: MIT
// The system calls of an event loop. Independent of what the loop does with them.

/// Not final, since the tests have a simulated one. An optimised build without tests finds no subclass, and calls these
/// functions directly.
class LoopSystem {
    private let epoll: Epoll
    private let timer: TimerDescriptor

    init() throws(SocketError) {
        epoll = try Epoll()
        timer = try TimerDescriptor()
    }

    /// Readable while any watched descriptor is ready.
    var descriptor: Int32 { epoll.number }

    // MARK: Readiness

    func watch(_ descriptor: Int32, _ interest: EpollEvents = .readable, token: UInt64) throws(SocketError) {
        try epoll.add(descriptor, interest, token: token)
    }

    func change(_ descriptor: Int32, to interest: EpollEvents, token: UInt64) throws(SocketError) {
        try epoll.modify(descriptor, interest, token: token)
    }

    func forget(_ descriptor: Int32, token: UInt64) throws(SocketError) { try epoll.remove(descriptor) }

    @inline(__always)
    func wait(timeoutMilliseconds: Int32) -> Int { epoll.wait(timeoutMilliseconds: timeoutMilliseconds) }

    @inline(__always) func token(_ index: Int) -> UInt64 { epoll.token(index) }

    @inline(__always) func flags(_ index: Int) -> EpollEvents { epoll.flags(index) }

    // MARK: The timer

    func watchTimer(token: UInt64) throws(SocketError) {
        try epoll.add(timer.number, .readable, token: token)
    }

    func armTimer(at time: MonotonicTime) { timer.arm(at: time) }
    func disarmTimer() { timer.disarm() }
    func drainTimer() { timer.drain() }

    // MARK: Bytes

    @inline(__always)
    func read(_ connection: Connection, into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        unsafe ByteIO.read(connection.number, into: buffer)
    }

    @inline(__always) func write(_ bytes: ByteView, to connection: Connection) -> WriteResult {
        unsafe ByteIO.write(connection.number, UnsafeRawPointer(bytes.base), count: bytes.count)
    }
}
