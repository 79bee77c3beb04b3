#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Publishes the load of the machine as `load`. It is gone when this program ends.
import json, os, socket, time

daemon = socket.socket(socket.AF_UNIX)
daemon.connect(os.environ["XDG_RUNTIME_DIR"] + "/observed.sock")
while True:
    params = {"path": "load", "value": os.getloadavg()[0], "lifetime": "connection"}
    daemon.sendall(json.dumps({"method": "set", "params": params}).encode() + b"\n")
    time.sleep(1)
