// SPDX-License-Identifier: MIT
// A graph for the tests of views: shared, weak, computed, bound and held values, and text of all kinds.

import ObserveCore

@testable import observectl

enum SampleGraph {
    /// The lines of a dump, without checksums.
    static let dump = [
        #"{"snapshot":2,"number":0,"revision":6,"epoch":"e"}"#,
        #"{"m":[[0,null,0,"app",{"m":1},1,"library",{"m":4},2,"odd",{"m":7},9],[1,null,0,"controller",{"m":2},1,"volume",20,5],[2,null,0,"player",{"m":3},1],[3,null,0,"title","Alien",1,"position",0.5,1,"playing",false,1]]}"#,
        #"{"m":[[4,"Library",0,"films",[{"m":5},{"m":6}],2,"favourite",{"m":5},3,"headline","Alien (1979)",2,"now",{"w":3},4,"gone",{"w":null},4]]}"#,
        #"{"m":[[5,"Film",0,"title","Alien",2,"year",1979,2,"label",{"c":true},2],[6,"Film",0,"title","Brazil",2]]}"#,
        #"{"m":[[6,"Film",0,"year",null,2,"tags",["a","b"],2],[7,null,0,"日本.x","映画 é e\u0301",9,"mark","\u0301\u202e\u001b[2J\u007f",9,"empty",{"m":8},9,"none",[],9],[8,null,0]]}"#,
        #"{"o":[[1,"volume",[[50,null,[1,0,0,0,0]],[null,[125000,60000],[2,0,0,0,0]]]],[6,"year",[[1985,null],[null,["c",2]]]]]}"#,
        #"{"end":6,"instance":8,"binding":2,"b":[[1,"library.favourite.title","library.headline",false],[2,"app.volume","library.films.1.year",true]],"lines":7}"#,
    ]

    static var graph: ModelGraph {
        get throws(ClientError) {
            var graph = ModelGraph()
            for line in dump { try graph.add(line: Array(line.utf8)) }
            graph.replace(
                at: ModelGraph.Place(instance: 5, name: "label"),
                with: .computed("Alien (1979)")
            )
            return graph
        }
    }
}

extension [CellLine] {
    /// The text of the frame that the lines fill, without empty lines at its end.
    func frame(_ size: FrameSize, _ glyphs: Glyphs) -> String {
        let frame = Frame(self, size, in: glyphs)
        precondition(frame.lines.allSatisfy { $0.count == size.columns } && frame.lines.count == size.rows)
        var text = frame.lines.map(\.text).joined(separator: "\n")
        while text.last == "\n" { text.removeLast() }
        return text
    }
}
