internal import FuzzSupport

// The command line is libFuzzer's. `Scripts/fuzz` builds and runs this.
Fuzzer.run { start, count in
  TextTarget.run(UnsafeBufferPointer(start: start, count: count))
  return 0
}
