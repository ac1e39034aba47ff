internal import FuzzSupport
internal import Glibc

// With FUZZ_SEEDS=FOLDER, traces named on the command line, in text form, become inputs in that folder;
// otherwise the command line is libFuzzer's. `Scripts/fuzz` builds and runs this.
if let folder = getenv("FUZZ_SEEDS").map({ String(cString: $0) }) {
  for path in CommandLine.arguments.dropFirst() {
    let name = path.split(separator: "/").last ?? "trace"
    try Files.write(try KeysTarget.input(ofText: path), to: "\(folder)/\(name)")
  }
  exit(0)
}
Fuzzer.run { start, count in
  KeysTarget.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
