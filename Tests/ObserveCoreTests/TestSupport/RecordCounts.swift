// SPDX-License-Identifier: MIT
// A tree's numbers of records, as copyable values for expectations.

@testable import ObserveCore

/// Copied from the tree's components, which are not copyable and so can't stand in an `#expect`.
struct RecordCounts: Equatable {
    var names, models, properties, propertyRecords, modelRecords: Int
    var nodes, observers, patterns, wildcards: Int
    var dependents, edges, failingBindings: Int
    var failedBindingWrites: UInt64
    var hooks, timedValues: Int
    /// The number of values in each stack, in the order of properties.
    var stacks: [Int]
    var notesEqualAssignments: Bool
}

extension ModelTree {
    var recordCounts: RecordCounts {
        RecordCounts(
            names: records.names.count,
            models: records.models.count,
            properties: records.properties.count,
            propertyRecords: records.properties.allocatedCount,
            modelRecords: records.models.allocatedCount,
            nodes: paths.nodes.count,
            observers: paths.observers.count,
            patterns: wildcards.patterns.count,
            wildcards: wildcards.places.count,
            dependents: dependents.records.count,
            edges: dependents.edges.count,
            failingBindings: dependents.bindings.failing,
            failedBindingWrites: dependents.bindings.failedWrites,
            hooks: hooks.preUpdateHooks.count,
            timedValues: stacks.timed.count,
            stacks: stacks.byProperty.sorted { $0.key < $1.key }.map(\.value.count),
            notesEqualAssignments: paths.notesEqualAssignments
        )
    }
}
