// SPDX-License-Identifier: MIT
// The declared types, and the trail to the value that is checked against one. Independent of values.

struct Typing: ~Copyable {
    var types = TypeTable()
    /// The declarations of ``types``; nil until the first one.
    var declarations: TypeDeclarations?
    /// Whether the tree is building a default, which may contain models of any type.
    var isMakingDefault = false
    /// Whether a required model without a default is made of its type's defaults.
    var isMakingRequired = false
    /// The way to the value being checked.
    var trail = Scratch<TrailStep>()
    /// The refusals while the tree collects instead of throws them; nil otherwise.
    var refusals: [TreeError]?
}

extension Typing {
    mutating func beginTrail(_ step: TrailStep) {
        trail.removeAll()
        trail.append(step)
    }

    /// The path of the trail's end, in escaped form.
    var trailPath: String {
        let out = ByteBuffer()
        let decoded = ByteBuffer()
        for index in trail.indices {
            decoded.removeAll()
            switch trail[index] {
            case .path(let path): path.appendEscaped(0..<path.count, to: decoded)
            case .text(let text): decoded.append(text)
            case .member(let name): name.appendDecoded(to: decoded)
            case .property(let type, let position):
                decoded.append(utf8: types[type].properties[position].text)
            case .name(let name): decoded.append(name)
            case .index(let index): decoded.append(decimal: UInt64(index))
            }
            let isName =
                switch trail[index] {
                case .path, .text: false
                case .member, .property, .name, .index: true
                }
            guard isName || !decoded.isEmpty else { continue }
            if !out.isEmpty { out.append(0x2E) }
            if isName { out.appendEscaped(name: decoded.view) } else { out.append(decoded.view) }
        }
        return out.string
    }

    /// Refuses the value at the trail's end. While refusals are collected, adds this one and returns null.
    mutating func refuse(_ error: TreeError) throws(TreeError) -> StoredValue {
        guard refusals != nil else { throw error }
        refusals?.append(error)
        return .null
    }
}

enum TrailStep {
    /// The written path.
    case path(ParsedKeyPath)
    /// The same as text in escaped form.
    case text(ByteView)
    case member(JSONView)
    /// A declared property: its type, and its position there.
    case property(TypeID, Int)
    /// The name of a property that may not be declared.
    case name(ByteView)
    case index(Int)
}
