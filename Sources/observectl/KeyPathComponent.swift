// SPDX-License-Identifier: MIT
// Names as components of key paths. Independent of paths.

import ObserveCore

extension String {
    /// The name as one component of a key path.
    var escapedComponent: String { DottedKeyPath.text(of: [self]) }
}
