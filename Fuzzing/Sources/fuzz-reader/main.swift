internal import FuzzSupport
internal import Glibc
internal import TraceReading

// If FUZZ_SEEDS=FOLDER is set, the traces in text form that the command line names are converted to
// inputs in that folder; otherwise, the command line is passed to libFuzzer. `Scripts/fuzz` builds
// and runs this program.
if let folder = getenv("FUZZ_SEEDS").map({ String(cString: $0) }) {
  for path in CommandLine.arguments.dropFirst() {
    let name = path.split(separator: "/").last ?? "trace"
    let trace = try TraceText.assemble(String(decoding: try Files.contents(path), as: UTF8.self))
    try Files.write(DenseTrace.pack(trace), to: "\(folder)/\(name)")
  }
  exit(0)
}
Fuzzer.run { start, count in
  ReaderTarget.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
