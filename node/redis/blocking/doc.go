// Package blocking lets requests for what is not there yet wait in a Redis node: BLPOP and
// its like, embedded or real. A blocking command is sent as one that does not block, and again
// after each step until there is something, in the order in which the requests came. A real Redis
// would serve a blocked client only after the transaction that is our step. Who waits for several keys is
// given of the first that it named and that has something, as by Valkey 8; Redis 7.0 gives of the one that
// was written first in the step.
package blocking
