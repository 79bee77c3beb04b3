// SPDX-License-Identifier: MIT
// NaN equals itself where bindings and observers compare, in whatever it stands.

import ObserveCore
import Testing

@Suite struct LikenessTests {
    private final class End<Value: Equatable>: ObservableModel {
        let observationStore = ObservationStore()
        @Published var value: Value
        init(_ value: Value) { self.value = value }
    }

    private struct Point: Equatable {
        var x: Double
        var name = "a"
        var parts: [Double] = []
        var size: Float?
    }

    private enum Shape: Equatable {
        case circle(Double)
        case box(width: Float, count: Int)
        case none
    }

    /// A value that never equals itself, on purpose.
    private struct Pulse: Equatable {
        static func == (_: Pulse, _: Pulse) -> Bool { false }
    }

    /// Two ends that were bound both ways exchange values, and none is lost.
    ///
    /// - Parameter copy: makes a value that shares no memory with its argument.
    private func exchange<Value: Equatable>(_ nan: Value, _ other: Value, _ copy: @escaping (Value) -> Value)
    {
        let (left, right) = (End(nan), End(other))
        let both = left.bindBothWays(\.value, to: right, at: \.value)
        for (value, isLeft) in [
            (other, false), (nan, false), (other, true), (nan, true), (other, false), (nan, true),
            (nan, false),
            (other, false),
        ] {
            if isLeft { left.value = copy(value) } else { right.value = copy(value) }
            #expect("\(left.value)" == "\(value)" && "\(right.value)" == "\(value)", "\(Value.self)")
        }
        both.cancel()
    }

    /// Two bindings in a circle agree at once.
    private func circle<Value: Equatable>(_ nan: Value, _ other: Value, _ copy: @escaping (Value) -> Value) {
        let (left, right) = (End(other), End(other))
        var runs = 0
        let there = left.bind(
            { model in
                runs += 1
                return copy(model.value)
            },
            to: right,
            at: \.value
        )
        let back = right.bind({ copy($0.value) }, to: left, at: \.value)
        runs = 0
        left.value = nan
        #expect(runs < 5, "\(Value.self)")
        #expect("\(right.value)" == "\(nan)")
        right.value = other
        #expect("\(left.value)" == "\(other)")
        there.cancel()
        back.cancel()
    }

    private func check<Value: Equatable>(_ nan: Value, _ other: Value, _ copy: @escaping (Value) -> Value) {
        exchange(nan, other, copy)
        circle(nan, other, copy)
        let model = End(nan)
        var heard = 0
        let token = model.observe(\.value) { _ in heard += 1 }
        model.value = copy(nan)
        #expect(heard == 1, "\(Value.self)")
        model.value = other
        model.value = copy(nan)
        #expect(heard == 3, "\(Value.self)")
        token.cancel()
    }

    /// Its mirror shows nothing.
    private struct Stamp: Equatable, CustomReflectable, CustomStringConvertible {
        var seconds: Double
        var description: String { "\(seconds) s" }
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    private final class Unit: Equatable, Sendable {
        static let meter = Unit()
        static func == (left: Unit, right: Unit) -> Bool { left === right }
    }

    /// Its mirror shows as many parts as it stores, as that of Foundation's `Measurement`.
    private struct Measure: Equatable, CustomReflectable {
        var value: Double
        var unit = Unit.meter
        var customMirror: Mirror {
            Mirror(self, children: ["value": value, "unit": "m"], displayStyle: .struct)
        }
    }

    /// Its mirror hides a part.
    private struct Label: Equatable, CustomReflectable {
        var value: Double
        var text: String
        var customMirror: Mirror { Mirror(self, children: ["value": value], displayStyle: .struct) }
    }

    @Test func `numbers`() {
        check(Double.nan, 1) { $0 }
        check(Float.nan, 1) { $0 }
        check(Float16.nan, 1) { $0 }
        check(Double?.some(.nan), nil) { $0 }
        check(Double?.some(.nan), 1) { $0 }
        check(Double??.some(.some(.nan)), .some(nil)) { $0 }
    }

    @Test func `structures and cases`() {
        check(Point(x: .nan), Point(x: .nan, name: "b")) { $0 }
        check(Point(x: 0, size: .nan), Point(x: 0, size: nil)) { $0 }
        check(Point?.some(Point(x: .nan)), nil) { $0 }
        let copy = { (point: Point) in
            var point = point
            point.parts = point.parts.map { $0 }
            return point
        }
        check(Point(x: 0, parts: [.nan, 1]), Point(x: 0, parts: [.nan, 2]), copy)
        check(Shape.circle(.nan), .none) { $0 }
        check(Shape.box(width: .nan, count: 1), .box(width: .nan, count: 2)) { $0 }
        check(Shape.box(width: .nan, count: 1), .circle(.nan)) { $0 }
    }

    @Test func `collections`() {
        check([Double.nan, 1], [Double.nan, 2]) { $0.map { $0 } }
        check([Double.nan], []) { $0.map { $0 } }
        check([[Float.nan]], [[Float.nan], []]) { $0.map { $0.map { $0 } } }
        check([Point(x: .nan)], [Point(x: 1)]) { $0.map { $0 } }
        check(["a": Double.nan], ["b": .nan]) { $0.mapValues { $0 } }
        check(["a": [Double.nan, 1]], ["a": [.nan, 2]]) { $0.mapValues { $0.map { $0 } } }
        check(ContiguousArray([Double?.some(.nan), nil]), [nil, nil]) { ContiguousArray($0.map { $0 }) }
        check([0, Double.nan, 1][1...], [0, Double.nan, 2][1...]) { ArraySlice($0.map { $0 }) }
    }

    @Test func `values whose mirrors do not show their parts`() {
        check(SIMD2<Double>(.nan, 1), SIMD2(.nan, 2)) { $0 }
        check(SIMD4<Float>(0, 1, 2, .nan), SIMD4(0, 1, 2, 3)) { $0 }
        check([SIMD2<Double>(.nan, 1)], []) { $0.map { $0 } }
        // A computed NaN has other bytes than the literal one.
        let zero = SIMD2<Double>(0, 1)
        let model = End(SIMD2<Double>(.nan, 1))
        var heard = 0
        let token = model.observe(\.value) { _ in heard += 1 }
        model.value = zero / SIMD2(zero.x, 1)
        #expect(heard == 1)
        token.cancel()
        check(Stamp(seconds: .nan), Stamp(seconds: 1)) { $0 }
        check(Measure(value: .nan), Measure(value: 1)) { $0 }
        check(Measure?.some(Measure(value: .nan)), nil) { $0 }
    }

    @Test func `a part that a mirror hides is not lost`() {
        let model = End(Label(value: .nan, text: "a"))
        var heard: [String] = []
        let token = model.observe(\.value) { heard.append($0.text) }
        model.value.text = "b"
        #expect(heard == ["a", "b"])
        token.cancel()
    }

    @Test func `a value that is unequal for another reason stays so`() {
        let model = End(Pulse())
        var heard = 0
        let token = model.observe(\.value) { _ in heard += 1 }
        model.value = Pulse()
        #expect(heard == 2)
        token.cancel()
    }
}
