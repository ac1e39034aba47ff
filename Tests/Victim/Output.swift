internal import Glibc

/// What the victim prints: a line, which is there when this returns, whatever becomes of the process.
func say(_ line: String) { write(line, to: STDOUT_FILENO) }

/// What is no part of what it does.
func complain(_ line: String) { write(line, to: STDERR_FILENO) }

private func write(_ line: String, to descriptor: Int32) {
  var rest = ArraySlice((line + "\n").utf8)
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}
