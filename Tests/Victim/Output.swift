internal import Glibc

/// Prints a line of the victim's output.
///
/// The line is written before this function returns, so it is not lost, whatever happens to the
/// process later.
func say(_ line: String) { write(line, to: STDOUT_FILENO) }

/// Prints a line on standard error that is not part of the output.
func printError(_ line: String) { write(line, to: STDERR_FILENO) }

private func write(_ line: String, to descriptor: Int32) {
  var rest = ArraySlice((line + "\n").utf8)
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}
