// SPDX-License-Identifier: MIT
// The methods that write, subscribe and explain. Independent of the line in which a request comes.

/// The methods of the protocol. Those that only read are in ``RequestChecks``, since others read with them; transactions and
/// batches, which execute other methods, are in ``Hub``.
@safe
class RequestMethods: RequestChecks {}
