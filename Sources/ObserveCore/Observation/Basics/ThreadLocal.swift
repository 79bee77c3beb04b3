// SPDX-License-Identifier: MIT
// An object for each thread. Independent of the type of the object.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A variable that holds a different object on each thread, and releases it when the thread ends. Swift has no cheap alternative:
/// reading a task-local takes 20 ns, and binding one allocates.
/// - Errors: traps if the process has no key left (POSIX guarantees 128).
/// - Threading: any thread; each sees only its own object.
/// - Cost: a read takes about 3 ns.
struct ThreadLocal<Object: AnyObject>: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key) { object in
            if let object = unsafe object { unsafe Unmanaged<AnyObject>.fromOpaque(object).release() }
        }
        precondition(status == 0, "no thread-local storage is left")
        self.key = key
    }

    /// This thread's object. It lives until the thread ends or sets another one.
    @inline(__always) var object: Unmanaged<Object>? {
        guard let object = unsafe pthread_getspecific(key) else { return nil }
        return unsafe Unmanaged.fromOpaque(object)
    }

    func set(_ object: Object) {
        let former = unsafe self.object
        let status = unsafe pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
        precondition(status == 0, "a thread can't keep its object: out of memory")
        if let former = unsafe former { unsafe former.release() }
    }
}
