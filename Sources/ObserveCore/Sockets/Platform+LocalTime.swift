// SPDX-License-Identifier: MIT
// The time zone of the process. Independent of the form of times.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Platform {
    /// The seconds that local clocks are ahead of UTC at a time, and the name that the zone has then.
    ///
    /// - Parameter seconds: since 1970.
    package static func zone(at seconds: Int64) -> (offset: Int64, name: String) {
        var time = time_t(seconds)
        var local = unsafe tm()
        guard unsafe localtime_r(&time, &local) != nil else { return (0, "UTC") }
        let name = unsafe local.tm_zone.map { unsafe String(cString: $0) }
        return unsafe (Int64(local.tm_gmtoff), name ?? "UTC")
    }
}
