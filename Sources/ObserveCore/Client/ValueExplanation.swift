// SPDX-License-Identifier: MIT
// Why a value is what it is, as `explain` reports it. Independent of connections.

/// Why a path in a daemon has its value.
/// - Threading: a value type.
public struct ValueExplanation: Equatable, Sendable {
    /// A component of the path.
    public struct Component: Equatable, Sendable {
        /// The path up to this component.
        public let path: String
        /// The kind of its value, such as `model`.
        public let kind: String
        /// The declared type.
        public let type: String
        /// The identity of its model; nil for other values.
        public let instance: UInt64?
        /// Whether the reference keeps nothing alive.
        public let weak: Bool
        /// The first references to its model, sixteen at most.
        public let holders: [Holder]
        /// The number of further ones.
        public let furtherHolders: Int
    }

    /// A reference to a model.
    public struct Holder: Equatable, Sendable {
        /// A path to the reference.
        public let path: String
        /// Whether it keeps nothing alive.
        public let weak: Bool
    }

    /// The commit that last changed a property.
    public struct Change: Equatable, Sendable {
        /// Its revision.
        public let revision: UInt64
        /// Its time after RFC 3339; nil if the daemon no longer has the commit.
        public let time: String?
        /// The maker of the change; nil if the daemon no longer has the commit.
        public let origin: ChangeMaker?
    }

    /// Numbers of observers.
    public struct Observers: Equatable, Sendable {
        /// Those of this very path.
        public let exact: Int
        /// Those of paths below it.
        public let below: Int
        /// The patterns that match it.
        public let patterns: Int
    }

    /// A binding or a computed property that reads or writes the property.
    public enum Feed: Equatable, Sendable {
        /// A binding, and its other end.
        case binding(Int, path: String)
        /// A computed property, or an input of one.
        case computed(path: String)
    }

    /// A temporary value, or the permanent one.
    public struct Layer: Equatable, Sendable {
        /// When a value expires.
        public enum End: Equatable, Sendable {
            /// With the writer's connection.
            case connection
            /// After so many milliseconds.
            case milliseconds(Int)
            /// Never.
            case permanent
        }

        /// The value.
        public let value: Value
        /// The writer; nil if it is unknown.
        public let origin: ChangeMaker?
        /// When it expires.
        public let end: End
    }

    /// The path.
    public let path: String
    /// The daemon's revision.
    public let revision: UInt64
    /// The value.
    public let value: Value
    /// The first component that is null, if it is not the last component.
    public let nilAt: String?
    /// The declared type.
    public let type: String
    /// The kind of the value.
    public let kind: String
    /// Whether a template computes the value.
    public let computed: Bool
    /// Whether no write is allowed.
    public let readonly: Bool
    /// The components of the path.
    public let components: [Component]
    /// The last change; nil where the path leads to nothing.
    public let lastChange: Change?
    /// The observers.
    public let observers: Observers
    /// What reads the property.
    public let feeds: [Feed]
    /// What writes the property, or the inputs that it is computed from.
    public let fedBy: [Feed]
    /// The temporary values, the visible one first, and the permanent one; empty without temporary values.
    public let lifetimes: [Layer]
    /// Whether parts are left out since this client may not read them.
    public let hidden: Bool
}

/// The maker of a change.
public struct ChangeMaker: Equatable, Sendable {
    /// The process of the writer; nil if a temporary value expired.
    public let pid: Int?
    /// The user of the writer; nil if a temporary value expired.
    public let uid: UInt64?
    /// The lifetime of the value that expired.
    public let lifetime: ValueLifetime?
    /// The binding that made the change.
    public let binding: Int?
}
