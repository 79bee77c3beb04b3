// SPDX-License-Identifier: MIT
// Takes a value and leaves another. Independent of both.

/// Replaces the value, and returns the former one.
package func exchange<Value>(_ value: inout Value, with new: consuming Value) -> Value {
    swap(&value, &new)
    return new
}
