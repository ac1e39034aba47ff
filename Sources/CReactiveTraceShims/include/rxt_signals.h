// Unix signals as bytes in a pipe. One file owns the number of the pipe, because a handler takes no arguments.

/// From now on writes the number of each such signal, as one byte, to `pipe`, which must not block.
///
/// `former`, a `struct sigaction`, receives the previous action. In a forked child the signal has its default action. Returns
/// 0, or -1 and sets errno.
int rxt_signals_forward(int number, int pipe, void *former);
