// SPDX-License-Identifier: MIT
// quickshell: the title by quickshell's own socket, without a helper program. A file of ~/.config/quickshell.
import QtQuick
import Quickshell
import Quickshell.Io

PanelWindow {
    anchors { top: true; left: true; right: true }
    implicitHeight: 24
    // Plain: rich text in a title could load pictures.
    Text { id: title; anchors.centerIn: parent; textFormat: Text.PlainText }
    Timer { interval: 1000; running: !daemon.connected; repeat: true; onTriggered: daemon.connected = true }
    Socket {
        id: daemon
        path: Quickshell.env("XDG_RUNTIME_DIR") + "/observed.sock"
        connected: true
        onConnectionStateChanged: if (connected) {
            write('{"id":1,"method":"subscribe","params":{"path":"media.player.title"}}\n');
            flush();
        }
        parser: SplitParser {
            onRead: line => {
                const message = JSON.parse(line);
                if (message.method === "change") title.text = message.params.new ?? "";
            }
        }
    }
}
