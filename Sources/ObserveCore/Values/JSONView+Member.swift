// SPDX-License-Identifier: MIT
// A member of an object by its name. Independent of what the object is.

extension JSONView {
    /// The first member of that name, written without escapes.
    subscript(name: StaticString) -> JSONView? {
        for (known, value) in members where known.contents == name { return value }
        return nil
    }
}
