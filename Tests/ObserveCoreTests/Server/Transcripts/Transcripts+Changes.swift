// SPDX-License-Identifier: MIT
// Transcripts of change events: reasons, old and prior values, arrays, order.

extension Transcript {
    static let changes: [Transcript] = [
        Transcript(
            "reasons, changedAt and nilAt",
            #"""
            = $a {"m":{"n":{"x":1}}}
            > {"id":1,"method":"subscribe","params":{"path":"$a.m.n.x"}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":1,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"initial","new":1,"revision":1}}
            > {"id":2,"method":"set","params":{"path":"$a.m.n.x","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"valueChanged","new":2,"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"set","params":{"path":"$a.m.n","value":{"x":3}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"pathChanged","new":3,"changedAt":"$a.m.n","revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$a.m","value":{"n":{"x":4}}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"pathChanged","new":4,"changedAt":"$a.m","revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"set","params":{"path":"$a","value":{"m":{"n":{"x":5}}}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"pathChanged","new":5,"changedAt":"$a","revision":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$a.m.n","value":null}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"pathChanged","new":null,"changedAt":"$a.m.n","nilAt":"$a.m.n","revision":6}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":6,"changed":true}}
            > {"id":7,"method":"set","params":{"path":"$a.m","value":null}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":7,"changed":true}}
            > {"id":8,"method":"set","params":{"path":"$a.m","value":{"n":7}}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":8,"changed":true}}
            > {"id":9,"method":"set","params":{"path":"$a.m.n","value":{"x":9}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"pathChanged","new":9,"changedAt":"$a.m.n","revision":9}}
            < {"jsonrpc":"2.0","id":9,"result":{"revision":9,"changed":true}}
            > {"id":10,"method":"set","params":{"path":"$a.m.n","value":{}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"pathChanged","new":null,"changedAt":"$a.m.n","revision":10}}
            < {"jsonrpc":"2.0","id":10,"result":{"revision":10,"changed":true}}
            > {"id":11,"method":"set","params":{"path":"$a.m.n.x","value":11}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"valueChanged","new":11,"revision":11}}
            < {"jsonrpc":"2.0","id":11,"result":{"revision":11,"changed":true}}
            > {"id":12,"method":"set","params":{"path":"$a.m.n.x","value":null}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"valueChanged","new":null,"revision":12}}
            < {"jsonrpc":"2.0","id":12,"result":{"revision":12,"changed":true}}
            > {"id":13,"method":"remove","params":{"path":"$a.m.n"}}
            < {"jsonrpc":"2.0","id":13,"result":{"revision":13,"changed":true}}
            > {"id":14,"method":"set","params":{"path":"$a.m.n","value":{"x":14}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.n.x","reason":"pathChanged","new":14,"changedAt":"$a.m.n","revision":14}}
            < {"jsonrpc":"2.0","id":14,"result":{"revision":14,"changed":true}}
            > {"id":15,"method":"set","params":{"path":"$a.m.n","value":{"x":14}}}
            < {"jsonrpc":"2.0","id":15,"result":{"revision":15,"changed":true}}
            """#
        ),
        Transcript(
            "a removed root and its return",
            #"""
            = $a {"x":1}
            > {"id":1,"method":"subscribe","params":{"paths":["$a","$a.x","$a.y"],"old":true,"initial":false}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"remove","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a","reason":"sourceDeleted","new":null,"old":{"x":1},"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"sourceDeleted","new":null,"old":1,"nilAt":"$a","revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.y","reason":"sourceDeleted","new":null,"old":null,"nilAt":"$a","revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"remove","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":2,"changed":false}}
            > {"id":4,"method":"set","params":{"path":"$a","value":{"x":2}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a","reason":"valueChanged","new":{"x":2},"old":null,"revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"pathChanged","new":2,"old":null,"changedAt":"$a","revision":3}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":3,"changed":true}}
            > {"id":5,"method":"set","params":{"path":"$a","value":null}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a","reason":"valueChanged","new":null,"old":{"x":2},"revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"pathChanged","new":null,"old":2,"changedAt":"$a","nilAt":"$a","revision":4}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":4,"changed":true}}
            > {"id":6,"method":"remove","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a","reason":"sourceDeleted","new":null,"old":null,"revision":5,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"sourceDeleted","new":null,"old":null,"nilAt":"$a","revision":5,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.y","reason":"sourceDeleted","new":null,"old":null,"nilAt":"$a","revision":5}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":5,"changed":true}}
            > {"id":7,"method":"set","params":{"path":"$a","value":3}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a","reason":"valueChanged","new":3,"old":null,"revision":6}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":6,"changed":true}}
            """#
        ),
        Transcript(
            "initial values of paths that lead nowhere",
            #"""
            = $a {"n":null,"i":1}
            > {"id":1,"method":"subscribe","params":{"paths":["$a.n","$a.n.x","$a.i.x.y","$a.gone","$gone","$gone.x"]}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":6,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.n","reason":"initial","new":null,"revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.n.x","reason":"initial","new":null,"nilAt":"$a.n","revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.i.x.y","reason":"initial","new":null,"nilAt":"$a.i","revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.gone","reason":"initial","new":null,"revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$gone","reason":"initial","new":null,"revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$gone.x","reason":"initial","new":null,"nilAt":"$gone","revision":1}}
            """#
        ),
        Transcript(
            "old values",
            #"""
            = $a {"x":1,"m":{"k":1}}
            > {"id":1,"method":"subscribe","params":{"paths":["$a.x","$a.m","$a.m.k"],"old":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":3,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"initial","new":1,"revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m","reason":"initial","new":{"k":1},"revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.k","reason":"initial","new":1,"revision":1}}
            > {"id":2,"method":"set","params":{"path":"$a.x","value":"s"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":"s","old":1,"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"set","params":{"path":"$a.m.k","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.k","reason":"valueChanged","new":2,"old":1,"revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$a.m","value":{"k":3}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m","reason":"valueChanged","new":{"k":3},"old":{"k":2},"revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.k","reason":"pathChanged","new":3,"old":2,"changedAt":"$a.m","revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"set","params":{"path":"$a.m","value":null}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m","reason":"valueChanged","new":null,"old":{"k":3},"revision":5,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.k","reason":"pathChanged","new":null,"old":3,"changedAt":"$a.m","nilAt":"$a.m","revision":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":true}}
            """#
        ),
        Transcript(
            "prior lines",
            #"""
            = $a {"x":1,"m":{"k":1},"r":[1,2]}
            > {"id":1,"method":"subscribe","params":{"paths":["$a.x","$a.m.k","$a.r"],"prior":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":3,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"initial","new":1,"revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.k","reason":"initial","new":1,"revision":1,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"initial","new":[1,2],"revision":1}}
            > {"id":2,"method":"set","params":{"path":"$a.x","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","old":1,"prior":true,"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":2,"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"set","params":{"path":"$a.m","value":null}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.k","reason":"pathChanged","old":1,"prior":true,"changedAt":"$a.m","revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.k","reason":"pathChanged","new":null,"changedAt":"$a.m","nilAt":"$a.m","revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$a.r.0","value":9}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","old":[1],"kind":"replacement","indexes":[0],"prior":true,"revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[9],"kind":"replacement","indexes":[0],"revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"remove","params":{"path":"$a.r.0"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","old":[9],"kind":"removal","indexes":[0],"prior":true,"revision":5,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[],"kind":"removal","indexes":[0],"revision":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$a.r","value":[]}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","old":[2],"prior":true,"revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[],"revision":6}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":6,"changed":true}}
            > {"id":7,"method":"subscribe","params":{"path":"$a.x","prior":true,"old":true,"initial":false}}
            < {"jsonrpc":"2.0","id":7,"result":{"subscription":2,"revision":6,"epoch":"E","initial":0,"resumed":false}}
            > {"id":8,"method":"set","params":{"path":"$a.x","value":3}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","old":2,"prior":true,"revision":7,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":3,"revision":7}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":2,"path":"$a.x","reason":"valueChanged","old":2,"prior":true,"revision":7,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":2,"path":"$a.x","reason":"valueChanged","new":3,"old":2,"revision":7}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":7,"changed":true}}
            > {"id":9,"method":"remove","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"sourceDeleted","old":3,"prior":true,"revision":8,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"sourceDeleted","new":null,"nilAt":"$a","revision":8,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":2,"path":"$a.x","reason":"sourceDeleted","old":3,"prior":true,"revision":8,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":2,"path":"$a.x","reason":"sourceDeleted","new":null,"old":3,"nilAt":"$a","revision":8}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.k","reason":"sourceDeleted","old":null,"prior":true,"revision":8,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.k","reason":"sourceDeleted","new":null,"nilAt":"$a","revision":8,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"sourceDeleted","old":[],"prior":true,"revision":8,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"sourceDeleted","new":null,"nilAt":"$a","revision":8}}
            < {"jsonrpc":"2.0","id":9,"result":{"revision":8,"changed":true}}
            """#
        ),
        Transcript(
            "distinct, or every assignment",
            #"""
            = $a {"m":{"x":1}}
            > {"id":1,"method":"subscribe","params":{"path":"$a.m.x","distinct":false,"old":true,"initial":false}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"subscribe","params":{"path":"$a.m.x","initial":false}}
            < {"jsonrpc":"2.0","id":2,"result":{"subscription":2,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":3,"method":"set","params":{"path":"$a.m.x","value":1}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.x","reason":"valueChanged","new":1,"old":1,"revision":1}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":1,"changed":false}}
            > {"id":4,"method":"set","params":{"path":"$a.m.x","value":1.0}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.x","reason":"valueChanged","new":1,"old":1,"revision":1}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":1,"changed":false}}
            > {"id":5,"method":"set","params":{"path":"$a.m","value":{"x":1}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.x","reason":"pathChanged","new":1,"old":1,"changedAt":"$a.m","revision":2}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":2,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$a.m.y","value":1}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":3,"changed":true}}
            > {"id":7,"method":"set","params":{"path":"$a","value":{"m":{"x":1}}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.x","reason":"pathChanged","new":1,"old":1,"changedAt":"$a","revision":4}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":4,"changed":true}}
            > {"id":8,"method":"set","params":{"path":"$a.m.x","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m.x","reason":"valueChanged","new":2,"old":1,"revision":5}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":2,"path":"$a.m.x","reason":"valueChanged","new":2,"revision":5}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":5,"changed":true}}
            > {"id":9,"method":"unsubscribe","params":{"subscription":1}}
            < {"jsonrpc":"2.0","id":9,"result":{}}
            > {"id":10,"method":"set","params":{"path":"$a.m.x","value":2}}
            < {"jsonrpc":"2.0","id":10,"result":{"revision":5,"changed":false}}
            """#
        ),
        Transcript(
            "a model's path reports the reference",
            #"""
            = $a {"m":{"k":1}}
            > {"id":1,"method":"subscribe","params":{"path":"$a.m","old":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":1,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m","reason":"initial","new":{"k":1},"revision":1}}
            > {"id":2,"method":"set","params":{"path":"$a.m.k","value":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"set","params":{"path":"$a.m","value":{"k":2}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m","reason":"valueChanged","new":{"k":2},"old":{"k":2},"revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$a.m","value":5}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.m","reason":"valueChanged","new":5,"old":{"k":2},"revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            """#
        ),
        Transcript(
            "array elements: kinds and indexes",
            #"""
            = $a {"r":[1,{"k":1},3]}
            > {"id":1,"method":"subscribe","params":{"paths":["$a.r","$a.r.0","$a.r.1.k","$a.r.2","$a.r.5"],"old":true,"initial":false}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"set","params":{"path":"$a.r.0","value":9}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[9],"old":[1],"kind":"replacement","indexes":[0],"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.0","reason":"valueChanged","new":9,"old":1,"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"set","params":{"path":"$a.r.1","value":{"k":2}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[{"k":2}],"old":[{"k":1}],"kind":"replacement","indexes":[1],"revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.1.k","reason":"pathChanged","new":2,"old":1,"changedAt":"$a.r.1","revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$a.r.1.k","value":3}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.1.k","reason":"valueChanged","new":3,"old":2,"revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"remove","params":{"path":"$a.r.0"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[],"old":[9],"kind":"removal","indexes":[0],"revision":5,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.0","reason":"pathChanged","new":{"k":3},"old":9,"changedAt":"$a.r","revision":5,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.1.k","reason":"pathChanged","new":null,"old":3,"changedAt":"$a.r","nilAt":"$a.r.1","revision":5,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.2","reason":"pathChanged","new":null,"old":3,"changedAt":"$a.r","revision":5}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$a.r","value":[7,{"k":8}]}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[7,{"k":8}],"old":[{"k":3},3],"revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.0","reason":"pathChanged","new":7,"old":{"k":3},"changedAt":"$a.r","revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.1.k","reason":"pathChanged","new":8,"old":null,"changedAt":"$a.r","revision":6}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":6,"changed":true}}
            > {"id":7,"method":"set","params":{"path":"$a.r","value":null}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":null,"old":[7,{"k":8}],"revision":7,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.0","reason":"pathChanged","new":null,"old":7,"changedAt":"$a.r","nilAt":"$a.r","revision":7,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.1.k","reason":"pathChanged","new":null,"old":8,"changedAt":"$a.r","nilAt":"$a.r","revision":7}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":7,"changed":true}}
            > {"id":8,"method":"set","params":{"path":"$a.r.0","value":1}}
            < {"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"$a.r is null, so $a.r.0 can't be written","data":{"name":"notFound","path":"$a.r"}}}
            """#
        ),
        Transcript(
            "arrays in arrays",
            #"""
            = $a {"r":[[1,2],[3]]}
            > {"id":1,"method":"subscribe","params":{"paths":["$a.r","$a.r.0","$a.r.0.1","$a.r.1.0"],"old":true,"initial":false}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"set","params":{"path":"$a.r.0.1","value":5}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[[1,5]],"old":[[1,2]],"kind":"replacement","indexes":[0],"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.0","reason":"valueChanged","new":[5],"old":[2],"kind":"replacement","indexes":[1],"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.0.1","reason":"valueChanged","new":5,"old":2,"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"remove","params":{"path":"$a.r.0.0"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[[5]],"old":[[1,5]],"kind":"replacement","indexes":[0],"revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.0","reason":"valueChanged","new":[],"old":[1],"kind":"removal","indexes":[0],"revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.0.1","reason":"pathChanged","new":null,"old":5,"changedAt":"$a.r.0","revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"remove","params":{"path":"$a.r.0"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[],"old":[[5]],"kind":"removal","indexes":[0],"revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.0","reason":"pathChanged","new":[3],"old":[5],"changedAt":"$a.r","revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.1.0","reason":"pathChanged","new":null,"old":3,"changedAt":"$a.r","nilAt":"$a.r.1","revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"get","params":{"path":"$a.r"}}
            < {"jsonrpc":"2.0","id":5,"result":{"value":[[3]],"revision":4}}
            """#
        ),
        Transcript(
            "events come before the answer to the write",
            #"""
            = $a {"x":1,"y":1}
            > {"id":1,"method":"subscribe","params":{"paths":["$a.x","$a.y"],"initial":false}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"set","params":{"path":"$a.x","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":2,"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"get","params":{"path":"$a.x"}}
            < {"jsonrpc":"2.0","id":3,"result":{"value":2,"revision":2}}
            > [{"id":4,"method":"set","params":{"path":"$a.x","value":3}},{"id":5,"method":"set","params":{"path":"$a.y","value":3}},{"id":6,"method":"get","params":{"path":"$a"}}]
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":3,"revision":3}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.y","reason":"valueChanged","new":3,"revision":4}}
            < [{"jsonrpc":"2.0","id":4,"result":{"revision":3,"changed":true}},{"jsonrpc":"2.0","id":5,"result":{"revision":4,"changed":true}},{"jsonrpc":"2.0","id":6,"result":{"value":{"x":3,"y":3},"revision":4}}]
            > {"method":"set","params":{"path":"$a.x","value":4}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":4,"revision":5}}
            > {"id":7,"method":"ping"}
            < {"jsonrpc":"2.0","id":7,"result":{}}
            """#
        ),
        Transcript(
            "a batch with subscribe and set",
            #"""
            = $a {"x":1}
            > [{"id":1,"method":"subscribe","params":{"path":"$a.x","old":true}},{"id":2,"method":"set","params":{"path":"$a.x","value":2}},{"id":3,"method":"set","params":{"path":"$a.x","value":3}}]
            < [{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":1,"resumed":false}},{"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}},{"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}]
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"initial","new":3,"revision":3}}
            > {"id":4,"method":"set","params":{"path":"$a.x","value":4}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":4,"old":3,"revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > [{"id":5,"method":"subscribe","params":{"path":"$a.x"}},{"id":6,"method":"unsubscribe","params":{"subscription":2}}]
            < [{"jsonrpc":"2.0","id":5,"result":{"subscription":2,"revision":4,"epoch":"E","initial":1,"resumed":false}},{"jsonrpc":"2.0","id":6,"result":{}}]
            > [{"id":7,"method":"subscribe","params":{"path":"$a.x","initial":false}},{"id":8,"method":"set","params":{"path":"$a.x","value":5}}]
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":5,"old":4,"revision":5}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":3,"path":"$a.x","reason":"valueChanged","new":5,"revision":5}}
            < [{"jsonrpc":"2.0","id":7,"result":{"subscription":3,"revision":4,"epoch":"E","initial":0,"resumed":false}},{"jsonrpc":"2.0","id":8,"result":{"revision":5,"changed":true}}]
            > [{"method":"subscribe","params":{"path":"$a.y"}},{"id":9,"method":"set","params":{"path":"$a.y","value":1}}]
            < [{"jsonrpc":"2.0","id":9,"result":{"revision":6,"changed":true}}]
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":4,"path":"$a.y","reason":"initial","new":1,"revision":6}}
            """#
        ),
    ]
}
