internal import FuzzSupport
internal import Glibc

// If FUZZ_SEEDS=FOLDER is set, the traces in text form that the command line names are converted to
// inputs in that folder; otherwise, the command line is passed to libFuzzer. `Scripts/fuzz` builds
// and runs this program.
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
