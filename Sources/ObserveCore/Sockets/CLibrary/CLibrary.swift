// SPDX-License-Identifier: MIT
// The C library that the system has, under one name. Independent of its calls.

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
