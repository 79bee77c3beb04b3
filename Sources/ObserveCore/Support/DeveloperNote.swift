// SPDX-License-Identifier: MIT
// Messages for the developer of a program that uses the library. Independent of the log, which is for operators.

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import Synchronization

/// Notes about mistakes that have an effect, but need not end the program. Only debug builds have them.
///
/// - Threading: any thread.
package enum DeveloperNote {
    /// Where notes of this task go instead of standard error. For tests.
    @TaskLocal package static var receiver: (@Sendable (String) -> Void)?

    private static let said = Mutex<Set<String>>([])
    /// A program that makes ever new texts must not keep them all.
    private static let maxCount = 1_000

    /// Writes `text` to standard error, once for each text. Does nothing in release builds.
    static func say(_ text: @autoclosure () -> String) {
        #if DEBUG
            let text = text()
            if let receiver { return receiver(text) }
            guard said.withLock({ $0.count < maxCount && $0.insert(text).inserted }) else { return }
            let line = Array("ObserveCore: \(text)\n".utf8)
            _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
        #endif
    }
}
