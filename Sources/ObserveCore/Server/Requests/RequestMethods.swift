// SPDX-License-Identifier: MIT
// The methods of the protocol. Independent of the line in which a request comes.

/// A function for each method of the protocol.
@safe
class RequestMethods: RequestChecks {}
