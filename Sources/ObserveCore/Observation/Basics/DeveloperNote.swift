// SPDX-License-Identifier: MIT
// Messages for the developer of a program that uses the library. Independent of the log, which is for operators.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
import Synchronization

/// Notes about mistakes that have an effect, but need not end the program. Only debug builds have them.
/// - Threading: any thread.
package enum DeveloperNote {
    /// Writes `text` to standard error, once for each text. Does nothing in release builds.
    static func say(_ text: @autoclosure () -> String) {
        #if DEBUG
            let text = text()
            if let receive = unsafe receivers.object?.takeUnretainedValue().receive { return receive(text) }
            guard said.withLock({ $0.count < maxCount && $0.insert(text).inserted }) else { return }
            let line = Array("ObserveCore: \(text)\n".utf8)
            _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
        #endif
    }

    #if DEBUG
        /// Gets the notes of one thread instead of standard error.
        private final class Receiver {
            /// Nil for standard error.
            let receive: ((String) -> Void)?
            init(_ receive: ((String) -> Void)?) { self.receive = receive }
        }

        // Not task-local: in optimised code of Swift 6.3, setting one crashes in a synchronous test.
        private static let receivers = ThreadLocal<Receiver>()
        private static let said = Mutex<Set<String>>([])
        /// A program that makes ever new texts must not keep them all.
        private static let maxCount = 1_000

        /// Runs `body`. Passes the notes that it causes on this thread to `receive`. For tests.
        package static func receiving(_ receive: @escaping (String) -> Void, while body: () throws -> Void)
            rethrows
        {
            receivers.set(Receiver(receive))
            defer { receivers.set(Receiver(nil)) }
            try body()
        }
    #endif
}
