// Forwards Unix signals as bytes in a pipe. The pipe's descriptor is a global of rxt_signals.c, because a handler takes no
// arguments.

/// Installs a handler that writes the number of each such signal, as one byte, to `pipe`, which must be non-blocking.
///
/// `former`, a `struct sigaction`, receives the previous action. In a forked child the signal has its default action. Returns
/// 0, or -1 and sets errno.
int rxt_signals_forward(int number, int pipe, void *former);
