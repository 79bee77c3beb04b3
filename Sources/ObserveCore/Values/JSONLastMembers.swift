// SPDX-License-Identifier: MIT
// An object's members, each name once, with those of the objects in it.

extension JSONView {
    /// The members, each at the place of its name's first occurrence, with the last value. Empty for other kinds.
    var lastMembers: JSONLastMembers { JSONLastMembers(of: self) }

    /// Whether both strings have the same text, perhaps with other escapes.
    fileprivate func hasText(of other: JSONView) -> Bool {
        guard hasEscapes || other.hasEscapes else { return contents == other.contents }
        return decodedString().utf8.elementsEqual(other.decodedString().utf8)
    }

    fileprivate func textHash(seed: UInt64) -> UInt64 {
        hasEscapes ? ByteView.with(decodedString()) { $0.hash(seed: seed) } : contents.hash(seed: seed)
    }
}

/// The members of one object, and of the objects among their values.
/// - Threading: a value type, valid as long as the text.
/// - Cost: one pass at any depth, in which arrays are passed over. Names are found by a seeded hash; few members of an object
///   are compared with each other.
struct JSONLastMembers: Sequence, IteratorProtocol {
    /// A link is the index of a member, or -1.
    fileprivate struct Member {
        let name: JSONView
        var value: JSONView
        /// The number of its object. One that another value replaced has other members.
        let object: Int32
        /// The first member of the value.
        var first: Int32 = -1
        /// The next member of the same object.
        var next: Int32 = -1
    }

    /// The first member is the outermost object, without a name.
    private let members: ContiguousArray<Member>
    private var position: Int32

    fileprivate init(of json: JSONView) {
        var search = LastMembersSearch(json)
        if json.kind == .object { search.run() }
        members = search.members
        position = members[0].first
    }

    private init(_ members: ContiguousArray<Member>, from position: Int32) {
        self.members = members
        self.position = position
    }

    /// The next member. If its value is an object, `inner` are the members there.
    mutating func next() -> (name: JSONView, value: JSONView, inner: JSONLastMembers)? {
        guard position >= 0 else { return nil }
        let member = members[Int(position)]
        position = member.next
        return (member.name, member.value, JSONLastMembers(members, from: member.first))
    }
}

private struct LastMembersSearch: ~Copyable {
    /// An object whose end is not reached yet.
    private struct Object {
        let number: Int32
        let member: Int32
        /// The offset of its bracket.
        let start: Int
        var count = 0
        var last: Int32 = -1
    }

    private static let few = 8
    /// Random, so that no peer can choose names that collide.
    private static let seed = UInt64.random(in: .min ... .max)

    private let text: ByteView
    private(set) var members: ContiguousArray<JSONLastMembers.Member>
    private var object = Object(number: 0, member: 0, start: 0)
    private var objects: Int32 = 1
    /// The objects around it.
    private var outer: ContiguousArray<Object> = []
    /// The members of the objects with more than a few.
    private var index: HashIndex<JSONLastMembers.Member>?

    init(_ json: JSONView) {
        text = json.view
        members = [.init(name: JSONView(validated: ByteView("")), value: json, object: -1)]
    }

    mutating func run() {
        var next = 1
        while true {
            let start = JSONSteps.skipSeparators(text, from: next)
            guard text.byteOrZero(start) == 0x22 else {
                next = min(start &+ 1, text.count)
                let whole = JSONView(view: text.slice(object.start..<next), kind: .object)
                members[Int(object.member)].value = whole
                guard let around = outer.popLast() else { return }
                object = around
                continue
            }
            let name = JSONSteps.value(in: text, at: start)
            let member = find(name) ?? add(name)
            next = JSONSteps.skipSeparators(text, from: start &+ name.view.count)
            members[Int(member)].first = -1
            if text.byteOrZero(next) == 0x7B {
                outer.append(object)
                object = Object(number: objects, member: member, start: next)
                objects &+= 1
                next &+= 1
            } else {
                let value = JSONSteps.value(in: text, at: next)
                members[Int(member)].value = value
                next &+= value.view.count
            }
        }
    }

    /// The member of that name in the innermost object.
    private mutating func find(_ name: JSONView) -> Int32? {
        guard object.count >= LastMembersSearch.few else {
            var known = members[Int(object.member)].first
            while known >= 0, !members[Int(known)].name.hasText(of: name) { known = members[Int(known)].next }
            return known < 0 ? nil : known
        }
        let known = index?.find(hash(name)) { known in
            members[known.index].object == object.number && members[known.index].name.hasText(of: name)
        }
        return known?.number
    }

    private mutating func add(_ name: JSONView) -> Int32 {
        let new = Int32(truncatingIfNeeded: members.count)
        members.append(.init(name: name, value: name, object: object.number))
        if object.last < 0 {
            members[Int(object.member)].first = new
        } else {
            members[Int(object.last)].next = new
        }
        object.last = new
        object.count += 1
        if object.count == LastMembersSearch.few {
            // Only a further member needs them.
            var known = members[Int(object.member)].first
            while known >= 0 {
                enter(known)
                known = members[Int(known)].next
            }
        } else if object.count > LastMembersSearch.few {
            enter(new)
        }
        return new
    }

    private mutating func enter(_ member: Int32) {
        if index == nil { index = HashIndex() }
        let hash = hash(members[Int(member)].name)
        if let count = index?.count, count.nonzeroBitCount == 1 { index?.reserve(count) }
        index?.insert(hash, ID(member))
    }

    /// A name in another object has another hash.
    private func hash(_ name: JSONView) -> UInt64 {
        name.textHash(seed: LastMembersSearch.seed ^ UInt64(object.number) &* 0x9E37_79B9_7F4A_7C15)
    }
}
