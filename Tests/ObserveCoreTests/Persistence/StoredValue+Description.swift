// SPDX-License-Identifier: MIT
// A stored value as text, for comparisons of trees. Independent of the code for persistence.

@testable import ObserveCore

extension StoredValue {
    /// The value as text; `name` names a model.
    func described(null: String = "null", _ name: (ModelID) -> String) -> String {
        switch self {
        case .absent: return "absent"
        case .null: return null
        case .bool(let bool): return "\(bool)"
        case .int(let int): return "\(int)"
        case .double(let double): return "\(double)d"
        case .text: return kept.described(null: null, name)
        case .string:
            let out = ByteBuffer()
            writeScalar(to: out)
            return out.string
        case .array(let array):
            return "[" + array.elements.map { $0.described(null: null, name) }.joined(separator: ",") + "]"
        case .model(let model): return name(model)
        }
    }
}
