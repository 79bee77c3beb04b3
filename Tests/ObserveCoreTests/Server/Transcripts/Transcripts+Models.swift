// SPDX-License-Identifier: MIT
// Transcripts of models: shared, weak, moved, and roots of other values.

extension Transcript {
    static let models: [Transcript] = [
        Transcript(
            "a weak reference goes to null with the last strong one",
            #"""
            = $a {"s":{"k":1},"t":null}
            > {"id":1,"method":"link","params":{"path":"$a.w","target":"$a.s","weak":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"revision":2,"changed":true}}
            > {"id":2,"method":"link","params":{"path":"$a.t","target":"$a.s"}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":3,"changed":true}}
            > {"id":3,"method":"subscribe","params":{"paths":["$a.w","$a.w.k"],"old":true}}
            < {"jsonrpc":"2.0","id":3,"result":{"subscription":1,"revision":3,"epoch":"E","initial":2,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.w","reason":"initial","new":{"k":1},"revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.w.k","reason":"initial","new":1,"revision":3}}
            > {"id":4,"method":"set","params":{"path":"$a.s","value":null}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"set","params":{"path":"$a.t.k","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.w.k","reason":"valueChanged","new":2,"old":1,"revision":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$a.t","value":null}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.w","reason":"valueChanged","new":null,"old":{"k":2},"revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.w.k","reason":"pathChanged","new":null,"old":2,"changedAt":"$a.w","nilAt":"$a.w","revision":6}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":6,"changed":true}}
            > {"id":7,"method":"get","params":{"path":"$a.w"}}
            < {"jsonrpc":"2.0","id":7,"result":{"value":null,"revision":6}}
            > {"id":8,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":8,"result":{"value":{"s":null,"t":null},"revision":6}}
            > {"id":9,"method":"describe","params":{"path":"$a.w"}}
            < {"jsonrpc":"2.0","id":9,"result":{"kind":"null","type":"Any","weak":true,"computed":false,"readonly":false}}
            > {"id":10,"method":"set","params":{"path":"$a.w","value":{"k":3}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.w","reason":"valueChanged","new":{"k":3},"old":null,"revision":7,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.w.k","reason":"pathChanged","new":3,"old":null,"changedAt":"$a.w","revision":7}}
            < {"jsonrpc":"2.0","id":10,"result":{"revision":7,"changed":true}}
            > {"id":11,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":11,"result":{"value":{"s":null,"t":null,"w":{"k":3}},"revision":7}}
            """#
        ),
        Transcript(
            "rendering leaves weak properties out",
            #"""
            = $a {"m":{"k":1}}
            > {"id":1,"method":"link","params":{"path":"$a.w","target":"$a.m","weak":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"revision":2,"changed":true}}
            > {"id":2,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":2,"result":{"value":{"m":{"k":1}},"revision":2}}
            > {"id":3,"method":"get","params":{"path":"$a.w"}}
            < {"jsonrpc":"2.0","id":3,"result":{"value":{"k":1},"revision":2}}
            > {"id":4,"method":"link","params":{"path":"$a.w","target":"$a.m"}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":3,"changed":true}}
            > {"id":5,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":5,"result":{"value":{"m":{"k":1},"w":{"k":1}},"revision":3}}
            > {"id":6,"method":"link","params":{"path":"$a.w","target":"$a.m","weak":true}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":4,"changed":true}}
            > {"id":7,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":7,"result":{"value":{"m":{"k":1}},"revision":4}}
            """#
        ),
        Transcript(
            "a removed model's weak back reference",
            #"""
            = $a {"parent":{"child":{"k":1}}}
            > {"id":1,"method":"link","params":{"path":"$a.parent.child.up","target":"$a.parent","weak":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"revision":2,"changed":true}}
            > {"id":2,"method":"subscribe","params":{"path":"$a.parent.child.up.child.k"}}
            < {"jsonrpc":"2.0","id":2,"result":{"subscription":1,"revision":2,"epoch":"E","initial":1,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.parent.child.up.child.k","reason":"initial","new":1,"revision":2}}
            > {"id":3,"method":"set","params":{"path":"$a.parent.child.k","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.parent.child.up.child.k","reason":"valueChanged","new":2,"revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"link","params":{"path":"$a.kept","target":"$a.parent.child"}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"remove","params":{"path":"$a.parent"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.parent.child.up.child.k","reason":"pathChanged","new":null,"changedAt":"$a.parent","nilAt":"$a.parent","revision":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":true}}
            > {"id":6,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":6,"result":{"value":{"kept":{"k":2}},"revision":5}}
            > {"id":7,"method":"describe","params":{"path":"$a.kept.up"}}
            < {"jsonrpc":"2.0","id":7,"result":{"kind":"null","type":"Any","weak":true,"computed":false,"readonly":false}}
            """#
        ),
        Transcript(
            "a moved model keeps its identity",
            #"""
            = $a {"x":{"k":1},"y":null}
            > {"id":1,"method":"subscribe","params":{"paths":["$a.x.k","$a.y.k"],"initial":false}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"link","params":{"path":"$a.y","target":"$a.x"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.y.k","reason":"pathChanged","new":1,"changedAt":"$a.y","revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"remove","params":{"path":"$a.x"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x.k","reason":"pathChanged","new":null,"changedAt":"$a.x","nilAt":"$a.x","revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$a.y.k","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.y.k","reason":"valueChanged","new":2,"revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"link","params":{"path":"$a.x","target":"$a.y"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x.k","reason":"pathChanged","new":2,"changedAt":"$a.x","revision":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$a.x.k","value":3}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.y.k","reason":"valueChanged","new":3,"revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x.k","reason":"valueChanged","new":3,"revision":6}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":6,"changed":true}}
            """#
        ),
        Transcript(
            "scalar roots",
            #"""
            = $n 1
            > {"id":1,"method":"subscribe","params":{"paths":["$n","$n.x"]}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":2,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n","reason":"initial","new":1,"revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n.x","reason":"initial","new":null,"nilAt":"$n","revision":1}}
            > {"id":2,"method":"set","params":{"path":"$n","value":"s"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n","reason":"valueChanged","new":"s","revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"set","params":{"path":"$n","value":{"x":1}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n","reason":"valueChanged","new":{"x":1},"revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n.x","reason":"pathChanged","new":1,"changedAt":"$n","revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$n","value":[1]}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n","reason":"valueChanged","new":[1],"revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n.x","reason":"pathChanged","new":null,"changedAt":"$n","revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"set","params":{"path":"$n.0","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n","reason":"valueChanged","new":[2],"kind":"replacement","indexes":[0],"revision":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":true}}
            > {"id":6,"method":"remove","params":{"path":"$n.0"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n","reason":"valueChanged","new":[],"kind":"removal","indexes":[0],"revision":6}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":6,"changed":true}}
            > {"id":7,"method":"remove","params":{"path":"$n"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n","reason":"sourceDeleted","new":null,"revision":7,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$n.x","reason":"sourceDeleted","new":null,"nilAt":"$n","revision":7}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":7,"changed":true}}
            """#
        ),
    ]
}
