internal import FuzzSupport

// The command line is passed to libFuzzer. `Scripts/fuzz` builds and runs this program.
Fuzzer.run { start, count in
  TextTarget.run(UnsafeBufferPointer(start: start, count: count))
  return 0
}
