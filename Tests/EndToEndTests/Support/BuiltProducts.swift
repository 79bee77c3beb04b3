// SPDX-License-Identifier: MIT
// Finds the programs that were built together with these tests.

import Glibc

/// The programs under test. They are beside the running test program, unless `OBSERVED_PRODUCTS` names another
/// folder.
enum BuiltProducts {
    static let folder: String = {
        if let other = unsafe getenv("OBSERVED_PRODUCTS") { return unsafe String(cString: other) }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        precondition(count > 0, "the running program cannot be found")
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }()

    /// Whether `OBSERVED_PRODUCTS` names the programs. `.ci/run` names those of its release build so.
    static let areNamed = unsafe getenv("OBSERVED_PRODUCTS") != nil

    static let observed = "\(folder)/observed"
    static let observectl = "\(folder)/observectl"

    /// The folder of `Package.swift`.
    static let package: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/")
    }()
}

/// The number for named products, which are optimised, or the usual one for those of a debug build.
func many(_ count: Int, usually usual: Int) -> Int { BuiltProducts.areNamed ? count : usual }
