// Signals of Unix as bytes in a pipe. One file owns the number of the pipe, because a handler can be given nothing.

/// From now on writes the number of each such signal, as one byte, to `pipe`, which must not block.
///
/// `former`, a `struct sigaction`, gets what the process did before. In a forked child the signal does what it does by
/// default. Returns 0, or -1 and sets errno.
int rxt_signals_forward(int number, int pipe, void *former);
