// SPDX-License-Identifier: MIT
// The explanation of a value: what it is, and what it depends on. Data only, without access rules.

struct Explanation {
    /// A component of the path, with all references to its model.
    struct Component {
        let path: String
        let facts: PlaceFacts
        let instance: UInt64?
        var holders = HolderList()
    }

    /// The references to a model.
    struct HolderList {
        static let most = 16
        /// If the client may not see all paths, so many references are examined.
        static let mostExamined = 1024

        /// The first references, those that keep the model alive before the others.
        var listed: [(path: String, isWeak: Bool)] = []
        /// How many others the client may see.
        var further = 0
        /// Whether there are some that it may not see, or that were not examined.
        var hasHidden = false
    }

    /// Why a commit changed the property that changed last on the path: from there back to what a request did.
    struct Reasons {
        static let mostSteps = 64

        let revision: UInt64
        /// The path of each property; nil if the client may not read it.
        var steps: [(path: String?, manner: ChangeManner)] = []
        /// The origin of the last step.
        var origin: ValueOrigin?
    }

    /// An end of an edge to or from the property.
    enum Feed: Hashable {
        case binding(Int32, String)
        case computed(String)

        var path: String {
            switch self {
            case .binding(_, let path), .computed(let path): path
            }
        }
    }
}

struct PlaceFacts {
    let value: StoredValue
    let type: String
    let isWeak: Bool
    let isComputed: Bool
    let isReadOnly: Bool
}

enum ChangeManner: Equatable {
    /// A request assigned it, or its value expired.
    case assigned
    case binding(Int32)
    case computed
    /// A weak reference lost its model.
    case released
}
