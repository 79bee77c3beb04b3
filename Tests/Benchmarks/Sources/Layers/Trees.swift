// SPDX-License-Identifier: MIT
// Benchmarks of the layer Models: lookup, set, re-binding, observation.

@testable import ObserveCore

func treeBenchmarks() -> [LayerBenchmark] {
    let unobserved = TreeStage()
    let observed = TreeStage()
    observed.observe("app.player.position")
    observed.observe("app.player.title")
    let list = TreeStage(#"{"list":[\#((0..<1000).map(String.init).joined(separator: ","))]}"#)
    return [
        LayerBenchmark("Models: look a path of 3 up") { count in
            let path = unobserved.path("app.player.title")
            for _ in 0..<count { _ = opaque(unobserved.tree.walk(path)) }
        },
        LayerBenchmark("Models: set a number") { unobserved.set("app.player.position", numbers, $0) },
        LayerBenchmark("Models: set a string") { unobserved.set("app.player.title", strings, $0) },
        LayerBenchmark("Models: set an equal number") { unobserved.set("app.player.position", ["1"], $0) },
        LayerBenchmark("Models: set a number, notified") { observed.set("app.player.position", numbers, $0) },
        LayerBenchmark("Models: set a string, notified") { observed.set("app.player.title", strings, $0) },
        LayerBenchmark(
            "Models: set a number beside 100,000 other paths",
            preparing: {
                let crowded = TreeStage()
                for index in 0..<100_000 { crowded.observe("app.other.k\(index)") }
                return { crowded.set("app.player.position", numbers, $0) }
            }
        ),
        LayerBenchmark("Models: set an object of 2") { unobserved.set("app.by", objects, $0) },
        LayerBenchmark("Models: observe a path and stop") { count in
            let path = unobserved.path("app.player.title")
            for _ in 0..<count {
                unobserved.tree.removeObserver(unobserved.tree.observe(path, options: .distinct, tag: 1))
            }
        },
        LayerBenchmark("Models: render a model of 3") { count in
            let out = ByteBuffer()
            let place = unobserved.tree.walk(unobserved.path("app.player"))
            for _ in 0..<count {
                out.removeAll()
                _ = unobserved.tree.render(unobserved.tree.value(at: place), to: out)
            }
        },
        LayerBenchmark("Models: insert into an array of 1,000 and remove") { count in
            let place = list.path("app.list")
            let element = list.path("app.list.500")
            for _ in 0..<count {
                sure {
                    try list.tree.commit { () throws(TreeError) in
                        try list.tree.insert(JSONView(validated: ByteView("7")), place, at: 500)
                    }
                }
                sure { try list.tree.commit { () throws(TreeError) in _ = try list.tree.remove(element) } }
            }
        },
    ] + rebindings()
}

/// Replaces a model above that many observed paths. Either all of their values differ, or none.
private func rebindings() -> [LayerBenchmark] {
    [0, 1, 1_000, 100_000].flatMap { size in
        (size == 0 ? [true] : [true, false]).map { differs in
            LayerBenchmark(
                rebindingTitle("Models", size, differs),
                preparing: {
                    let stage = TreeStage(twoModels(of: size, differs))
                    for index in 0..<size { stage.observe("app.now.k\(index)") }
                    return { stage.link("app.now", to: ["app.a", "app.b"], $0) }
                }
            )
        }
    }
}

func rebindingTitle(_ room: String, _ observed: Int, _ differs: Bool) -> String {
    "\(room): replace a model above \(observed) observed"
        + (observed == 0 ? "" : differs ? ", notified" : ", nothing differs")
}

/// Two models to link to in turns. Either all of their values differ, or none.
func twoModels(of size: Int, _ differ: Bool) -> String {
    let models = ["a", "b"].map { name in
        let keys = (0..<max(size, 1)).map { "\"k\($0)\":\"\(differ ? name : "same") \($0)\"" }
        return "\"\(name)\":{\(keys.joined(separator: ","))}"
    }
    return "{\(models.joined(separator: ",")),\"now\":null}"
}

private let numbers = ["1", "2"]
private let strings = [
    #""a title that does not fit into fifteen bytes""#, #""another title that does not fit either""#,
]
private let objects = [#"{"name":"Gilliam","born":1940}"#, #"{"name":"Kubrick","born":1928}"#]

/// A tree with a sink that ignores its notifications.
final class TreeStage: ChangeSink {
    let tree = ModelTree()
    var turn = 0
    private var notifications = 0

    init(_ app: String = #"{"player":{"title":"Brazil","position":0,"isPlaying":true},"by":null,"other":{}}"#)
    {
        tree.hooks.sink = self
        sure { try tree.define(root: "app", json: app) }
        tree.keepHistory(commits: 1000)
    }

    func path(_ dotted: String) -> ParsedKeyPath {
        let path = ParsedKeyPath(maxDepth: 64)
        sure { try path.parse(dotted: dotted) }
        return path
    }

    func observe(_ dotted: String) { _ = tree.observe(path(dotted), options: .distinct, tag: 1) }

    /// Sets one value after another, `count` times in all.
    func set(_ dotted: String, _ values: [String], _ count: Int) {
        let path = path(dotted)
        let texts = values.map(Bytes.init)
        for _ in 0..<count {
            turn += 1
            let value = JSONView(validated: texts[turn % texts.count].view)
            sure { try tree.commit { () throws(TreeError) in _ = try tree.set(path, to: value) } }
        }
    }

    /// Links to one target after another, `count` times in all.
    func link(_ dotted: String, to targets: [String], _ count: Int) {
        let path = path(dotted)
        let targets = targets.map(self.path)
        for _ in 0..<count {
            turn += 1
            sure {
                try tree.commit { () throws(TreeError) in
                    _ = try tree.link(path, to: targets[turn % targets.count], isWeak: false)
                }
            }
        }
    }

    func pathChanged(_ change: borrowing PathChange) { notifications &+= 1 }
    func pathMatched(pattern tag: Int32, _ observer: ObserverID, isMet: Bool) -> Int32 {
        tag
    }
    func changesEnded() {}
    func pathForgotten(_ tag: Int32) {}
    func patternOverfull(_ tag: Int32) {}
    func bindingChanged(_ binding: Binding) {}
}
