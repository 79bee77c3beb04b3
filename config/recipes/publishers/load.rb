#!/usr/bin/env ruby
# SPDX-License-Identifier: MIT
# Publishes the load of the machine as `load`. It is gone when this program ends.
require "json"
require "socket"

daemon = UNIXSocket.new(ENV["XDG_RUNTIME_DIR"] + "/observed.sock")
loop do
  params = { path: "load", value: File.read("/proc/loadavg").to_f, lifetime: "connection" }
  daemon.puts JSON.generate(method: "set", params: params)
  sleep 1
end
