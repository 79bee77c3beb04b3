// SPDX-License-Identifier: MIT
// Transcripts of bind, unbind and bindings. Binding numbers are daemon-wide, so these run alone.

extension Transcript {
    static let bindings: [Transcript] = [
        Transcript(
            "bindings carry values, fail, work again and end",
            alone: true,
            #"""
            = $t {"a":1,"list":[{"w":1},{"w":2}],"out":null}
            > {"id":1,"method":"bind","params":{"source":"$t.a","target":"$t.b","twoWay":true}}
            < {"jsonrpc":"2.0","id":1,"result":{"binding":1,"revision":2}}
            > {"id":2,"method":"bind","params":{"source":["$t","list","0","w"],"target":"$t.out.w"}}
            < {"jsonrpc":"2.0","id":2,"result":{"binding":2,"revision":2}}
            > {"id":3,"method":"bind","params":{"source":"$t.list.@sum.w","target":["$t","@sum"]}}
            < {"jsonrpc":"2.0","id":3,"result":{"binding":3,"revision":3}}
            > {"id":4,"method":"bindings"}
            < {"jsonrpc":"2.0","id":4,"result":{"bindings":[{"binding":1,"source":"$t.a","target":"$t.b","twoWay":true,"failing":false},{"binding":2,"source":"$t.list.0.w","target":"$t.out.w","twoWay":false,"failing":true,"message":"$t.out is null, so $t.out.w can't be written"},{"binding":3,"source":"$t.list.@sum.w","target":"$t.\\@sum","twoWay":false,"failing":false}]}}
            > {"id":5,"method":"subscribe","params":{"path":"$t.*","initial":false,"old":true}}
            < {"jsonrpc":"2.0","id":5,"result":{"subscription":1,"revision":3,"epoch":"E","initial":0,"resumed":false}}
            > {"id":6,"method":"set","params":{"path":"$t.b","value":5}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.b","reason":"valueChanged","new":5,"old":1,"revision":4,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.a","reason":"valueChanged","new":5,"old":1,"revision":4}}
            < {"jsonrpc":"2.0","id":6,"result":{"revision":4,"changed":true}}
            > {"id":7,"method":"set","params":{"path":"$t.out","value":{}}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.out","reason":"valueChanged","new":{"w":1},"old":null,"revision":5}}
            < {"jsonrpc":"2.0","id":7,"result":{"revision":5,"changed":true}}
            > {"id":8,"method":"transaction","params":{"operations":[{"method":"increment","params":{"path":"$t.list.0.w","by":9}},{"method":"increment","params":{"path":"$t.a"}}]}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.a","reason":"valueChanged","new":6,"old":5,"revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.b","reason":"valueChanged","new":6,"old":5,"revision":6,"more":true}}
            < {"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"$t.\\@sum","reason":"valueChanged","new":12,"old":3,"revision":6}}
            < {"jsonrpc":"2.0","id":8,"result":{"revision":6,"changed":true,"results":[{"revision":6,"changed":true,"value":10},{"revision":6,"changed":true,"value":6}]}}
            > {"id":9,"method":"unbind","params":{"binding":2}}
            < {"jsonrpc":"2.0","id":9,"result":{}}
            > {"id":10,"method":"unbind","params":{"binding":1}}
            < {"jsonrpc":"2.0","id":10,"result":{}}
            > {"id":11,"method":"unbind","params":{"binding":3}}
            < {"jsonrpc":"2.0","id":11,"result":{}}
            > {"id":12,"method":"bindings"}
            < {"jsonrpc":"2.0","id":12,"result":{"bindings":[]}}
            > {"id":13,"method":"get","params":{"path":"$t"}}
            < {"jsonrpc":"2.0","id":13,"result":{"value":{"a":6,"list":[{"w":10},{"w":2}],"out":{"w":10},"b":6,"@sum":12},"revision":6}}
            """#
        ),
        Transcript(
            "what can't be bound",
            #"""
            = $t {"a":1}
            > {"id":1,"method":"bind","params":{"source":"$t.a"}}
            < {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bind needs the param target"}}
            > {"id":2,"method":"bind","params":{"source":"$t.*","target":"$t.b"}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"the param source is one key path, not a pattern; a name that is a star is written \\*"}}
            > {"id":3,"method":"bind","params":{"source":"$t.a","target":"$t.l.@count"}}
            < {"jsonrpc":"2.0","id":3,"error":{"code":3,"message":"$t.l.@count has a collection operator: it can be read and subscribed to, not written","data":{"name":"readOnly","path":"$t.l.@count"}}}
            > {"id":4,"method":"bind","params":{"source":"$t.l.@count","target":"$t.b","twoWay":true}}
            < {"jsonrpc":"2.0","id":4,"error":{"code":3,"message":"$t.l.@count has a collection operator, so nothing can be carried back to it","data":{"name":"readOnly","path":"$t.l.@count"}}}
            > {"id":5,"method":"bind","params":{"source":"$t.a","target":"observed.x"}}
            < {"jsonrpc":"2.0","id":5,"error":{"code":3,"message":"the root observed is the daemon's own and can't be written","data":{"name":"readOnly","path":"observed.x"}}}
            > {"id":6,"method":"bind","params":{"source":"observed.revision","target":"$t.a"}}
            < {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"the daemon's own root observed can't be bound"}}
            > {"id":7,"method":"bind","params":{"source":"$t.a","target":"$t.b","twoWay":1}}
            < {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"the param twoWay is true or false"}}
            > {"id":8,"method":"bind","params":{"source":"$t.a","target":"$t.b","parents":true}}
            < {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"bind has no param parents"}}
            > {"id":9,"method":"unbind","params":{}}
            < {"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"unbind needs the param binding"}}
            > {"id":10,"method":"unbind","params":{"binding":"1"}}
            < {"jsonrpc":"2.0","id":10,"error":{"code":-32602,"message":"the param binding is the number of a binding"}}
            > {"id":11,"method":"unbind","params":{"binding":99999999999}}
            < {"jsonrpc":"2.0","id":11,"error":{"code":1,"message":"no such binding: 99999999999","data":{"name":"notFound"}}}
            > {"id":12,"method":"bindings","params":{"path":"x"}}
            < {"jsonrpc":"2.0","id":12,"error":{"code":-32602,"message":"bindings has no param path"}}
            > {"id":13,"method":"transaction","params":{"operations":[{"method":"bind","params":{"source":"$t.a","target":"$t.b"}}]}}
            < {"jsonrpc":"2.0","id":13,"error":{"code":-32602,"message":"bind is not a write, so it can't be an operation","data":{"operation":0}}}
            > {"id":14,"method":"bind","params":{"source":"$t.a","target":["$t","a"]}}
            < {"jsonrpc":"2.0","id":14,"error":{"code":-32602,"message":"$t.a can't be bound to itself"}}
            """#
        ),
    ]
}
