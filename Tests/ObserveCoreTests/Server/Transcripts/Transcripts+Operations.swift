// SPDX-License-Identifier: MIT
// Transcripts of merge, insert, increment and transaction.

extension Transcript {
    static let operations: [Transcript] = [
        Transcript(
            "merge changes existing values",
            #"""
            = $t {"m":{"x":1,"gone":1,"in":{"y":1}},"r":[{"x":1},2]}
            > {"id":1,"method":"subscribe","params":{"paths":["$t.m","$t.m.x","$t.m.gone","$t.m.in.y","$t.m.new","$t.r"],"initial":false,"old":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"merge","params":{"path":"$t.m","value":{"x":2,"gone":null,"in":{"y":2,"z":null},"new":{"a":1,"b":null}}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.m.x","reason":"valueChanged","new":2,"old":1,"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.m.gone","reason":"valueChanged","new":null,"old":1,"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.m.new","reason":"valueChanged","new":{"a":1},"old":null,"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.m.in.y","reason":"valueChanged","new":2,"old":1,"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"merge","params":{"path":"$t.m","value":{"x":2.0,"gone":null,"in":{}}}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":2,"changed":false}}
            > {"id":4,"method":"merge","params":{"path":"$t.r.0","value":{"x":5}}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":3,"changed":true}}
            > {"id":5,"method":"merge","params":{"path":"$t.r.1","value":{"x":6,"y":null}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.r","reason":"valueChanged","new":[{"x":6}],"old":[2],"kind":"replacement","indexes":[1],"revision":4}}
            < {"jsonrpc":"2.0","id":5,"result":{"revision":4,"changed":true}}
            > {"id":6,"method":"get","params":{"path":"$t"}}
            < {"jsonrpc":"2.0","id":6,"result":{"value":{"m":{"x":2,"in":{"y":2},"new":{"a":1}},"r":[{"x":5},{"x":6}]},"revision":4}}
            > {"id":7,"method":"merge","params":{"path":"$t.no.where","value":{}}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"$t.no is null, so $t.no.where can't be written","data":{"name":"notFound","path":"$t.no"}}}
            """#
        ),
        Transcript(
            "insert puts elements where they belong",
            #"""
            = $t {"r":[1],"n":null,"m":{"x":1}}
            > {"id":1,"method":"subscribe","params":{"paths":["$t.r","$t.r.1","$t.r.0.x"],"initial":false,"old":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"insert","params":{"path":"$t.r","value":"two"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.r","reason":"valueChanged","new":["two"],"old":[],"kind":"insertion","indexes":[1],"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.r.1","reason":"pathChanged","new":"two","old":null,"changedAt":"$t.r","revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true}}
            > {"id":3,"method":"insert","params":{"path":"$t.r","target":"$t.m","index":0}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.r","reason":"valueChanged","new":[{"x":1}],"old":[],"kind":"insertion","indexes":[0],"revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.r.1","reason":"pathChanged","new":1,"old":"two","changedAt":"$t.r","revision":3,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.r.0.x","reason":"pathChanged","new":1,"old":null,"changedAt":"$t.r","revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true}}
            > {"id":4,"method":"set","params":{"path":"$t.m.x","value":2}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.r.0.x","reason":"valueChanged","new":2,"old":1,"revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true}}
            > {"id":5,"method":"insert","params":{"path":"$t.r","value":0,"index":4}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"$t.r has 3 elements, so nothing can be inserted at 4","data":{"name":"notFound","path":"$t.r"}}}
            > {"id":6,"method":"insert","params":{"path":"$t.r","value":0,"index":-1}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"the param index is an index: an integer that is not negative"}}
            > {"id":7,"method":"insert","params":{"path":"$t.r","target":"$t"}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":7,"message":"$t as an element in $t.r would close a cycle of strong references, and an array's elements are always strong","data":{"name":"referenceCycle","path":"$t.r"}}}
            > {"id":8,"method":"insert","params":{"path":"$t.n","value":1}}
            < {"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"$t.n is null, and elements can be inserted into arrays alone","data":{"name":"notFound","path":"$t.n"}}}
            > {"id":9,"method":"insert","params":{"path":"$t.m","value":1}}
            < {"jsonrpc":"2.0","id":9,"error":{"code":2,"message":"$t.m is a model, and elements can be inserted into arrays alone","data":{"name":"typeMismatch","path":"$t.m"}}}
            > {"id":10,"method":"insert","params":{"path":"$t.r"}}
            < {"jsonrpc":"2.0","id":10,"error":{"code":-32602,"message":"insert needs the param value or the param target, and not both"}}
            """#
        ),
        Transcript(
            "increment adds and never wraps",
            #"""
            = $t {"n":1,"max":9223372036854775806,"s":"1"}
            > {"id":1,"method":"subscribe","params":{"paths":["$t.n","$t.max"],"initial":false,"old":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"increment","params":{"path":"$t.n"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.n","reason":"valueChanged","new":2,"old":1,"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true,"value":2}}
            > {"id":3,"method":"increment","params":{"path":"$t.n","by":-0.5}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.n","reason":"valueChanged","new":1.5,"old":2,"revision":3}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true,"value":1.5}}
            > {"id":4,"method":"increment","params":{"path":"$t.max"}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.max","reason":"valueChanged","new":9223372036854775807,"old":9223372036854775806,"revision":4}}
            < {"jsonrpc":"2.0","id":4,"result":{"revision":4,"changed":true,"value":9223372036854775807}}
            > {"id":5,"method":"increment","params":{"path":"$t.max"}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":6,"message":"the sum of 9223372036854775807 and 1 would leave the 64 bits of an integer, at $t.max","data":{"name":"limitExceeded","path":"$t.max"}}}
            > {"id":6,"method":"increment","params":{"path":"$t.s"}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":2,"message":"$t.s is a string, and only a number can be incremented","data":{"name":"typeMismatch","path":"$t.s"}}}
            > {"id":7,"method":"increment","params":{"path":"$t.new","by":0}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":5,"changed":true,"value":0}}
            > {"id":8,"method":"increment","params":{"path":"$t.n","by":"1"}}
            < {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"the param by is a number"}}
            """#
        ),
        Transcript(
            "a transaction is all or nothing",
            #"""
            = $t {"a":1,"p":{"x":1},"r":[1,2]}
            > {"id":1,"method":"subscribe","params":{"paths":["$t.a","$t.p.x","$t.r"],"initial":false,"old":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"epoch":"E","initial":0,"resumed":false}}
            > {"id":2,"method":"transaction","params":{"operations":[{"method":"increment","params":{"path":"$t.a"}},{"method":"set","params":{"path":"$t.p","value":{"x":2}}},{"method":"increment","params":{"path":"$t.p.x"}},{"method":"insert","params":{"path":"$t.r","value":3}},{"method":"increment","params":{"path":"$t.a","by":5}}]}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.a","reason":"valueChanged","new":7,"old":1,"revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.p.x","reason":"pathChanged","new":3,"old":1,"changedAt":"$t.p","revision":2,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.r","reason":"valueChanged","new":[3],"old":[],"kind":"insertion","indexes":[2],"revision":2}}
            < {"jsonrpc":"2.0","id":2,"result":{"revision":2,"changed":true,"results":[{"revision":2,"changed":true,"value":2},{"revision":2,"changed":true},{"revision":2,"changed":true,"value":3},{"revision":2,"changed":true},{"revision":2,"changed":true,"value":7}]}}
            > {"id":3,"method":"transaction","params":{"operations":[{"method":"insert","params":{"path":"$t.r","value":4}},{"method":"remove","params":{"path":"$t.r.3"}},{"method":"set","params":{"path":"$t.a","value":7}}]}}
            < {"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true,"results":[{"revision":3,"changed":true},{"revision":3,"changed":true},{"revision":3,"changed":false}]}}
            > {"id":4,"method":"transaction","params":{"operations":[{"method":"remove","params":{"path":"$t.r"}},{"method":"set","params":{"path":"$t.a","value":8,"ifValue":6}}]}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":4,"message":"$t.a has another value than expected","data":{"name":"conflict","path":"$t.a","operation":1,"value":7,"revision":3}}}
            > {"id":5,"method":"transaction","params":{"operations":[]}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"the param operations is an array of at least one operation"}}
            > {"id":6,"method":"transaction","params":{"operations":[{"method":"set","params":{"path":"$t.a","value":8}},{"method":"get","params":{"path":"$t.a"}}]}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"get is not a write, so it can't be an operation","data":{"operation":1}}}
            > {"id":7,"method":"transaction","params":{"operations":[{"method":"nonsense","params":{}}]}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"method not found: nonsense","data":{"operation":0}}}
            > {"id":8,"method":"get","params":{"path":"$t"}}
            < {"jsonrpc":"2.0","id":8,"result":{"value":{"a":7,"p":{"x":3},"r":[1,2,3]},"revision":3}}
            """#
        ),
    ]
}
