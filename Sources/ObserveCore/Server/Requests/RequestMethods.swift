// SPDX-License-Identifier: MIT
// The methods that write and subscribe. Independent of the line in which a request comes.

/// The methods that write and subscribe. Transactions and batches, which execute other methods, are in ``Hub``.
@safe
class RequestMethods: ReadingMethods {}
