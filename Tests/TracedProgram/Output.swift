internal import Glibc

/// Prints a line immediately, because this program may be killed at any time.
func say(_ line: String) { write(line, to: 1) }

/// Ends the program with a message.
func fail(_ message: String) -> Never {
  write("traced-program: \(message)", to: 2)
  exit(70)
}

private func write(_ line: String, to descriptor: Int32) {
  let bytes = Array((line + "\n").utf8)
  _ = Glibc.write(descriptor, bytes, bytes.count)
}
