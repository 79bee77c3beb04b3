// SPDX-License-Identifier: MIT
// Transcripts of set, remove and link.

extension Transcript {
    static let writes: [Transcript] = [
        Transcript(
            "set: equal writes change nothing",
            #"""
            = $a {"x":1,"s":"é","r":[1,2]}
            > {"id":1,"method":"set","params":{"path":"$a.x","value":1}}
            < {"jsonrpc":"2.0","id":1,"result":{"revision":1,"changed":false}}
            > {"id":2,"method":"set","params":{"path":"$a.x","value":1.0}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":1,"changed":false}}
            > {"id":3,"method":"get","params":{"path":"$a.x"}}
            < {"jsonrpc":"2.0","id":3,"result":{"value":1,"revision":1}}
            > {"id":4,"method":"set","params":{"path":"$a.s","value":"\u00e9"}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":1,"changed":false}}
            > {"id":5,"method":"set","params":{"path":"$a.s","value":"e\u0301"}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":2,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$a.r","value":[1.0,2e0]}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":2,"changed":false}}
            > {"id":7,"method":"set","params":{"path":"$a.x","value":null}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":3,"changed":true}}
            > {"id":8,"method":"set","params":{"path":"$a.x","value":null}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":3,"changed":false}}
            > {"id":9,"method":"set","params":{"path":"$a.new","value":null}}
            < {"jsonrpc":"2.0","id":9,"result":{"revision":4,"changed":true}}
            > {"id":10,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":10,"result":{"value":{"x":null,"s":"é","r":[1,2],"new":null},"revision":4}}
            > {"id":11,"method":"set","params":{"path":"$a.m","value":{}}}
            < {"jsonrpc":"2.0","id":11,"result":{"revision":5,"changed":true}}
            > {"id":12,"method":"set","params":{"path":"$a.m","value":{}}}
            < {"jsonrpc":"2.0","id":12,"result":{"revision":6,"changed":true}}
            > {"id":13,"method":"set","params":{"path":"$a.dup","value":{"k":1,"j":2,"k":3}}}
            < {"jsonrpc":"2.0","id":13,"result":{"revision":7,"changed":true}}
            > {"id":14,"method":"get","params":{"path":"$a.dup"}}
            < {"jsonrpc":"2.0","id":14,"result":{"value":{"k":3,"j":2},"revision":7}}
            """#
        ),
        Transcript(
            "set: numbers keep their kind",
            #"""
            = $a {}
            > {"id":0,"method":"set","params":{"path":"$a.n0","value":9223372036854775807}}
            < {"jsonrpc":"2.0","id":0,"result":{"revision":2,"changed":true}}
            > {"id":1,"method":"set","params":{"path":"$a.n1","value":-9223372036854775808}}
            < {"jsonrpc":"2.0","id":1,"result":{"revision":3,"changed":true}}
            > {"id":2,"method":"set","params":{"path":"$a.n2","value":1e2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":4,"changed":true}}
            > {"id":3,"method":"set","params":{"path":"$a.n3","value":-0.0}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":5,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$a.n4","value":0.1}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":6,"changed":true}}
            > {"id":5,"method":"set","params":{"path":"$a.n5","value":1E400}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"a number must be finite; 1E400 is not"}}
            > {"id":6,"method":"set","params":{"path":"$a.n6","value":9223372036854775808}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"an integer must fit 64 signed bits; 9223372036854775808 does not"}}
            > {"id":7,"method":"set","params":{"path":"$a.n7","value":5e-324}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":7,"changed":true}}
            > {"id":8,"method":"set","params":{"path":"$a.n8","value":-0}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":8,"changed":true}}
            > {"id":20,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":20,"result":{"value":{"n0":9223372036854775807,"n1":-9223372036854775808,"n2":100.0,"n3":-0.0,"n4":0.1,"n7":5e-324,"n8":0},"revision":8}}
            """#
        ),
        Transcript(
            "set: through null, scalars and arrays",
            #"""
            = $a {"n":null,"i":1,"r":[null,2]}
            > {"id":1,"method":"set","params":{"path":"$a.n.x","value":1}}
            < {"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"$a.n is null, so $a.n.x can't be written","data":{"name":"notFound","path":"$a.n"}}}
            > {"id":2,"method":"set","params":{"path":"$a.i.x","value":1}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":2,"message":"$a.i is not a model, so $a.i.x can't be written","data":{"name":"typeMismatch","path":"$a.i"}}}
            > {"id":3,"method":"set","params":{"path":"$a.i.x","value":1,"parents":true}}
            < {"jsonrpc":"2.0","id":3,"error":{"code":2,"message":"$a.i is not a model, so $a.i.x can't be written","data":{"name":"typeMismatch","path":"$a.i"}}}
            > {"id":4,"method":"set","params":{"path":"$a.gone.x.y","value":1}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":1,"message":"$a.gone is null, so $a.gone.x.y can't be written","data":{"name":"notFound","path":"$a.gone"}}}
            > {"id":5,"method":"set","params":{"path":"$b.x","value":1}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"$b is null, so $b.x can't be written","data":{"name":"notFound","path":"$b"}}}
            > {"id":6,"method":"set","params":{"path":"$a.r.2","value":1}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":1,"message":"the array at $a.r has no element 2","data":{"name":"notFound","path":"$a.r.2"}}}
            > {"id":7,"method":"set","params":{"path":"$a.r.k","value":1}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"k is not an index of the array at $a.r","data":{"name":"notFound","path":"$a.r.k"}}}
            > {"id":8,"method":"set","params":{"path":"$a.r.0.k","value":1}}
            < {"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"$a.r.0 is null, so $a.r.0.k can't be written","data":{"name":"notFound","path":"$a.r.0"}}}
            > {"id":9,"method":"set","params":{"path":"$a.r.1.k","value":1}}
            < {"jsonrpc":"2.0","id":9,"error":{"code":2,"message":"$a.r.1 is not a model, so $a.r.1.k can't be written","data":{"name":"typeMismatch","path":"$a.r.1"}}}
            > {"id":10,"method":"set","params":{"path":"$a.n.x.y","value":1,"parents":true}}
            < {"jsonrpc":"2.0","id":10,"result":{"revision":2,"changed":true}}
            > {"id":11,"method":"set","params":{"path":"$b.c.d","value":2,"parents":true}}
            < {"jsonrpc":"2.0","id":11,"result":{"revision":3,"changed":true}}
            > {"id":12,"method":"set","params":{"path":"$a.r.0.k","value":3,"parents":true}}
            < {"jsonrpc":"2.0","id":12,"result":{"revision":4,"changed":true}}
            > {"id":13,"method":"set","params":{"path":"$a.r.2.k","value":3,"parents":true}}
            < {"jsonrpc":"2.0","id":13,"error":{"code":1,"message":"the array at $a.r has no element 2","data":{"name":"notFound","path":"$a.r.2"}}}
            > {"id":14,"method":"set","params":{"path":"$a.i","value":1,"parents":true}}
            < {"jsonrpc":"2.0","id":14,"result":{"revision":4,"changed":false}}
            > {"id":15,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":15,"result":{"value":{"n":{"x":{"y":1}},"i":1,"r":[{"k":3},2]},"revision":4}}
            > {"id":16,"method":"get","params":{"path":"$b"}}
            < {"jsonrpc":"2.0","id":16,"result":{"value":{"c":{"d":2}},"revision":4}}
            """#
        ),
        Transcript(
            "set: only while nothing has changed since a revision",
            alone: true,
            #"""
            = $a {"x":1,"m":{"k":1}}
            > {"id":1,"method":"set","params":{"path":"$a.x","value":2,"ifRevision":1}}
            < {"jsonrpc":"2.0","id":1,"result":{"revision":2,"changed":true}}
            > {"id":2,"method":"set","params":{"path":"$a.x","value":3,"ifRevision":1}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":4,"message":"$a.x has changed since revision 1","data":{"name":"conflict","path":"$a.x","value":2,"revision":2}}}
            > {"id":3,"method":"set","params":{"path":"$a.m.k","value":2,"ifRevision":1}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$a.m","value":{"k":5},"ifRevision":2}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":4,"message":"$a.m has changed since revision 2","data":{"name":"conflict","path":"$a.m","value":{"k":2},"revision":3}}}
            > {"id":5,"method":"set","params":{"path":"$a.m","value":{"k":5},"ifRevision":3}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":4,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$a.m.k","value":6,"ifRevision":3}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":4,"message":"$a.m.k has changed since revision 3","data":{"name":"conflict","path":"$a.m.k","value":5,"revision":4}}}
            > {"id":7,"method":"set","params":{"path":"$a.x","value":2,"ifRevision":4}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":4,"changed":false}}
            > {"id":8,"method":"remove","params":{"path":"$a.x","ifRevision":1}}
            < {"jsonrpc":"2.0","id":8,"error":{"code":4,"message":"$a.x has changed since revision 1","data":{"name":"conflict","path":"$a.x","value":2,"revision":4}}}
            > {"id":9,"method":"remove","params":{"path":"$a.x","ifRevision":4}}
            < {"jsonrpc":"2.0","id":9,"result":{"revision":5,"changed":true}}
            > {"id":10,"method":"set","params":{"path":"$a.x","value":1,"ifRevision":4}}
            < {"jsonrpc":"2.0","id":10,"error":{"code":4,"message":"$a.x has changed since revision 4","data":{"name":"conflict","path":"$a.x","value":null,"revision":5}}}
            > {"id":11,"method":"link","params":{"path":"$a.l","target":"$a.m","ifRevision":99}}
            < {"jsonrpc":"2.0","id":11,"result":{"revision":6,"changed":true}}
            """#
        ),
        Transcript(
            "set: only while the value is as expected",
            #"""
            = $a {"x":1,"m":{"k":1,"r":[1]}}
            > {"id":1,"method":"set","params":{"path":"$a.x","value":2,"ifValue":1.0}}
            < {"jsonrpc":"2.0","id":1,"result":{"revision":2,"changed":true}}
            > {"id":2,"method":"set","params":{"path":"$a.x","value":3,"ifValue":1}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":4,"message":"$a.x has another value than expected","data":{"name":"conflict","path":"$a.x","value":2,"revision":2}}}
            > {"id":3,"method":"set","params":{"path":"$a.m","value":null,"ifValue":{"r":[1.0],"k":1}}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$a.m","value":1,"ifValue":{"k":1}}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":4,"message":"$a.m has another value than expected","data":{"name":"conflict","path":"$a.m","value":null,"revision":3}}}
            > {"id":5,"method":"set","params":{"path":"$a.m","value":1,"ifValue":null}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":4,"changed":true}}
            > {"id":6,"method":"set","params":{"path":"$a.new","value":1,"ifValue":null}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":5,"changed":true}}
            > {"id":7,"method":"remove","params":{"path":"$a.new","ifValue":2}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":4,"message":"$a.new has another value than expected","data":{"name":"conflict","path":"$a.new","value":1,"revision":5}}}
            > {"id":8,"method":"remove","params":{"path":"$a.new","ifValue":1}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":6,"changed":true}}
            > {"id":9,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":9,"result":{"value":{"x":2,"m":1},"revision":6}}
            """#
        ),
        Transcript(
            "remove: properties, elements and missing values",
            #"""
            = $a {"x":1,"r":[1,2,3],"n":null}
            > {"id":1,"method":"subscribe","params":{"paths":["$a.x","$a.r","$a.r.1"],"old":true,"initial":false}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"remove","params":{"path":"$a.x"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.x","reason":"valueChanged","new":null,"old":1,"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"remove","params":{"path":"$a.x"}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":2,"changed":false}}
            > {"id":4,"method":"remove","params":{"path":"$a.r.0"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r","reason":"valueChanged","new":[],"old":[1],"kind":"removal","indexes":[0],"revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$a.r.1","reason":"pathChanged","new":3,"old":2,"changedAt":"$a.r","revision":3}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":3,"changed":true}}
            > {"id":5,"method":"remove","params":{"path":"$a.r.7"}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":3,"changed":false}}
            > {"id":6,"method":"remove","params":{"path":"$a.n.x"}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":3,"changed":false}}
            > {"id":7,"method":"remove","params":{"path":"$a.r.0.x"}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":3,"changed":false}}
            > {"id":8,"method":"remove","params":{"path":"$gone"}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":3,"changed":false}}
            > {"id":9,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":9,"result":{"value":{"r":[2,3],"n":null},"revision":3}}
            """#
        ),
        Transcript(
            "link: one model under three paths",
            #"""
            = $app {"controller":{"player":null}}
            = $library {"alien":{"title":"Alien"},"films":[null]}
            > {"id":1,"method":"link","params":{"path":"$app.controller.player","target":"$library.alien"}}
            < {"jsonrpc":"2.0","id":1,"result":{"revision":3,"changed":true}}
            > {"id":2,"method":"link","params":{"path":"$library.films.0","target":"$library.alien"}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":4,"changed":true}}
            > {"id":3,"method":"subscribe","params":{"paths":["$app.controller.player.title","$library.films.0.title","$library.alien.title","$app.controller.player"]}}
            < {"jsonrpc":"2.0","id":3,"result":{"subscription":1,"revision":4,"epoch":"E","initial":4,"resumed":false}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.controller.player.title","reason":"initial","new":"Alien","revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$library.films.0.title","reason":"initial","new":"Alien","revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$library.alien.title","reason":"initial","new":"Alien","revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.controller.player","reason":"initial","new":{"title":"Alien"},"revision":4}}
            > {"id":4,"method":"set","params":{"path":"$library.alien.title","value":"Aliens"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$library.alien.title","reason":"valueChanged","new":"Aliens","revision":5,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.controller.player.title","reason":"valueChanged","new":"Aliens","revision":5,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$library.films.0.title","reason":"valueChanged","new":"Aliens","revision":5}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":5,"changed":true}}
            > {"id":5,"method":"link","params":{"path":"$app.controller.player","target":"$library.films.0"}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":5,"changed":false}}
            > {"id":6,"method":"set","params":{"path":"$library.alien","value":{"title":"Heat"}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$library.alien.title","reason":"pathChanged","new":"Heat","changedAt":"$library.alien","revision":6}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":6,"changed":true}}
            > {"id":7,"method":"set","params":{"path":"$app.controller.player.title","value":"Alien 3"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$app.controller.player.title","reason":"valueChanged","new":"Alien 3","revision":7,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$library.films.0.title","reason":"valueChanged","new":"Alien 3","revision":7}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":7,"changed":true}}
            > {"id":8,"method":"get","params":{"path":"$app"}}
            < {"jsonrpc":"2.0","id":8,"result":{"value":{"controller":{"player":{"title":"Alien 3"}}},"revision":7}}
            > {"id":9,"method":"get","params":{"path":"$library"}}
            < {"jsonrpc":"2.0","id":9,"result":{"value":{"alien":{"title":"Heat"},"films":[{"title":"Alien 3"}]},"revision":7}}
            """#
        ),
        Transcript(
            "link: refusals",
            #"""
            = $a {"m":{"c":{}},"x":1,"n":null,"r":[1]}
            > {"id":1,"method":"link","params":{"path":"$a.l","target":"$a.n"}}
            < {"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"$a.n is null: a link needs a model","data":{"name":"notFound","path":"$a.n"}}}
            > {"id":2,"method":"link","params":{"path":"$a.l","target":"$a.gone"}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"$a.gone is null: a link needs a model","data":{"name":"notFound","path":"$a.gone"}}}
            > {"id":3,"method":"link","params":{"path":"$a.l","target":"$a.x"}}
            < {"jsonrpc":"2.0","id":3,"error":{"code":2,"message":"$a.x is int, and only a model can be linked to","data":{"name":"typeMismatch","path":"$a.x"}}}
            > {"id":4,"method":"link","params":{"path":"$a.l","target":"$a.r"}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":2,"message":"$a.r is array, and only a model can be linked to","data":{"name":"typeMismatch","path":"$a.r"}}}
            > {"id":5,"method":"link","params":{"path":"$a.m.c.up","target":"$a.m"}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":7,"message":"a strong link from $a.m.c.up to $a.m would close a cycle of strong references; make it weak","data":{"name":"referenceCycle","path":"$a.m.c.up"}}}
            > {"id":6,"method":"link","params":{"path":"$a.m.up","target":"$a"}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":7,"message":"a strong link from $a.m.up to $a would close a cycle of strong references; make it weak","data":{"name":"referenceCycle","path":"$a.m.up"}}}
            > {"id":7,"method":"link","params":{"path":"$a.m.self","target":"$a.m"}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":7,"message":"a strong link from $a.m.self to $a.m would close a cycle of strong references; make it weak","data":{"name":"referenceCycle","path":"$a.m.self"}}}
            > {"id":8,"method":"link","params":{"path":"$a.m.c.up","target":"$a.m","weak":true}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":2,"changed":true}}
            > {"id":9,"method":"link","params":{"path":"$a.r.0","target":"$a.m","weak":true}}
            < {"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"an array element can't be a weak reference","data":{"path":"$a.r.0"}}}
            > {"id":10,"method":"link","params":{"path":"$a.n.x","target":"$a.m"}}
            < {"jsonrpc":"2.0","id":10,"error":{"code":1,"message":"$a.n is null, so $a.n.x can't be written","data":{"name":"notFound","path":"$a.n"}}}
            > {"id":11,"method":"link","params":{"path":"$a.x.y","target":"$a.m"}}
            < {"jsonrpc":"2.0","id":11,"error":{"code":2,"message":"$a.x is not a model, so $a.x.y can't be written","data":{"name":"typeMismatch","path":"$a.x"}}}
            > {"id":12,"method":"link","params":{"path":"$a.r.3","target":"$a.m"}}
            < {"jsonrpc":"2.0","id":12,"error":{"code":1,"message":"the array at $a.r has no element 3","data":{"name":"notFound","path":"$a.r.3"}}}
            > {"id":13,"method":"link","params":{"path":"$a.l"}}
            < {"jsonrpc":"2.0","id":13,"error":{"code":-32602,"message":"link needs the param target"}}
            > {"id":14,"method":"get","params":{"path":"$a"}}
            < {"jsonrpc":"2.0","id":14,"result":{"value":{"m":{"c":{}},"x":1,"n":null,"r":[1]},"revision":2}}
            """#
        ),
    ]
}
