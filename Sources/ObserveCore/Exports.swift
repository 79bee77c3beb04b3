// SPDX-License-Identifier: MIT
// Who imports ObserveCore has the models of ObserveModels too.

// Tools that read all sources as one module, as `make shape`, have no such module.
#if canImport(ObserveModels)
    @_exported public import ObserveModels
#endif
