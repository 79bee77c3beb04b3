// SPDX-License-Identifier: MIT
// What a start may find after a crash at any step. Independent of how the run came there.

@testable import ObserveCore
@testable import ObserveModels

extension SimulationRun {
    /// After a step of the disk, a restart from its files must find an allowed state.
    func look() {
        guard !isLookingAt, fault == nil, density == 100 || below(100) < density else { return }
        isLookingAt = true
        defer { isLookingAt = false }
        if let hub { noteStateDuring(hub) }
        check(disk.afterKill(), candidates, "killed", boot: "boot \(boots)")
        for _ in 0..<below(4) {
            check(disk.afterPowerLoss(&random), powerCandidates, "power lost", boot: "next")
        }
    }

    /// Expiries make their own commits.
    private func noteStateDuring(_ hub: Hub) {
        if hub.tree.pending.touches.isEmpty { noteState(hub) }
    }

    private func check(_ image: SimulatedDisk, _ allowed: [String], _ what: String, boot: String) {
        crashPoints += 1
        let mayEnd = boot == "next" || lacksLineFeed(image)
        let before = below(4) == 0 ? image.afterKill() : nil
        defer { if let before, fault == nil { checkOrder(of: before, boot) } }
        let hub = SimulationRun.makeHub(clock, isTyped: isTyped)
        do {
            let opened = try Recovery.open(hub.tree, on: image, conditions(boot))
            let dump = hub.tree.stateDump
            if !allowed.contains(dump) {
                fail(
                    "\(what) at step \(disk.steps): found\n\(dump)expected one of \(allowed.count), full \(disk.isFull), pending \(self.hub?.clients.gate.journal?.batch.text.string ?? ""), first \(allowed.first ?? "")\n\(allowed.suffix(3).joined(separator: "or\n"))"
                )
            }
            let faults = hub.tree.faults()
            if !faults.isEmpty { fail("\(what) at step \(disk.steps): \(faults)") }
            checkEpoch(opened.journal.epoch, what, boot: boot, mayEnd: mayEnd)
            hub.tree.hooks.isRecording = false
        } catch { fail("\(what) at step \(disk.steps): the start failed: \(error)") }
    }

    /// A start refuses a missing, doubled or moved line, unless lines may be missing there after a crash.
    private func checkOrder(of image: SimulatedDisk, _ boot: String) {
        let first = image.contents("snapshot").map { bytes in
            ByteView.with(bytes) { text in
                var lines = CheckedLines(text)
                guard case .line(let header) = lines.next() else { return 0 }
                return (try? SnapshotHeader(header).number) ?? 0
            }
        }
        // The last journal may have been made and not begun.
        let journals = ((try? image.names()) ?? []).compactMap(StateFile.number).filter { $0 >= first ?? 1 }
            .sorted().map(StateFile.journal)
            .filter { LineDamage.lines(of: image.contents($0) ?? []).lines.count > 0 }
        guard let last = journals.last else { return }
        let names = (first == nil ? [] : ["snapshot"]) + journals
        let name = names[below(names.count)]
        let bytes = image.contents(name) ?? []
        let count = LineDamage.lines(of: bytes).lines.count
        let (line, damage) = (below(count), LineDamage.allCases[below(3)])
        guard let (changed, place) = damage.applied(to: bytes, line: line) else { return }
        // After a power loss, the journals may lack lines at their ends. Without the line that names this boot, the files look like
        // that.
        let isPowerLost =
            boot == "next"
            || name == last && !ByteView.with(changed) { CheckedLines($0).hasStart(ofBoot: boot) }
        let isTail =
            name != "snapshot"
            && (boot == "next" && durability != .commit
                || name == last && place.isTail(durability, isPowerLost: isPowerLost))
        image.place(name, changed)
        let hub = SimulationRun.makeHub(clock, isTyped: isTyped)
        let opened = try? Recovery.open(hub.tree, on: image, conditions(boot))
        hub.tree.hooks.isRecording = false
        if opened != nil, !isTail {
            fail(
                "\(name), line \(line + 1) of \(count) \(damage) at step \(disk.steps): the start found no damage"
            )
        }
        lineChecks += 1
    }

    /// If commits may be lost, the epoch must differ.
    ///
    /// - Parameter mayEnd: whether the files look as if they were damaged: the power took pages, or a line lacks its feed.
    private func checkEpoch(_ epoch: String, _ what: String, boot: String, mayEnd: Bool) {
        guard let journal = hub?.clients.gate.journal else { return }
        let isPowerLost = boot == "next"
        let isKept = durability == .commit || (durability == .interval && !isPowerLost)
        if isKept, mayEnd, epoch != journal.epoch { return epochsEnded += 1 }
        if isKept != (epoch == journal.epoch) {
            fail("\(what) at step \(disk.steps): epoch \(journal.epoch) came to be \(epoch)")
        }
    }

    /// Whether the last write to the last journal ended just before a line feed.
    private func lacksLineFeed(_ image: SimulatedDisk) -> Bool {
        let numbers = ((try? image.names()) ?? []).compactMap(StateFile.number)
        // The last journal may have been made and not begun.
        let last = numbers.sorted().compactMap { image.contents(StateFile.journal($0)) }.last { !$0.isEmpty }
        return last?.last { $0 != 0 } == UInt8(ascii: "}")
    }
}
