// Forwards Unix signals as bytes in a pipe. The pipe's descriptor is in a global variable of rxt_signals.c, because the system
// passes only the signal's number to the handler.

/// Installs a handler for the signal `number`, which writes that number, as one byte, to `pipe` at each arrival.
///
/// The pipe must be non-blocking. `former`, a `struct sigaction`, receives the previous action. In a forked child the signal
/// has its default action. Returns 0, or -1 and sets errno.
int rxt_signals_forward(int number, int pipe, void *former);
