import Glibc
import Reactive
import ReactiveTesting

/// A pipe whose ends a test can close separately.
final class TestPipe: Sendable {
  let reader: Int32
  private let writer: Locked<Int32>

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    reader = ends[0]
    writer = Locked(ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(reader)
    closeWriter()
  }

  var writingEnd: Int32 { writer.withLock { $0 } }

  @discardableResult
  func write(_ text: String) -> Int {
    Array(text.utf8).withUnsafeBytes { Glibc.write(writingEnd, $0.baseAddress, $0.count) }
  }

  func closeWriter() {
    let end = writer.withLock { writer in
      defer { writer = -1 }
      return writer
    }
    if end >= 0 { close(end) }
  }

  /// The number of bytes that are in the pipe.
  var waiting: Int {
    var count: Int32 = 0
    _ = ioctl(reader, UInt(FIONREAD), &count)
    return Int(count)
  }
}

/// The number of descriptors that the process has open.
func openDescriptors() -> Int {
  var count = 0
  guard let folder = opendir("/proc/self/fd") else { return -1 }
  while readdir(folder) != nil { count += 1 }
  closedir(folder)
  return count
}

/// Polls a condition for which there is no notification; returns false on a timeout.
func eventually(within seconds: Int = 60, _ condition: () -> Bool) -> Bool {
  let latch = Latch()
  var start = timespec()
  clock_gettime(CLOCK_MONOTONIC, &start)
  while !condition() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    if now.tv_sec - start.tv_sec >= seconds { return condition() }
    _ = latch.wait(milliseconds: 2)
  }
  return true
}

extension Signal {
  /// Subscribes; the recorder gets the events, and the latch opens at the end.
  func recordedToTheEnd() -> (recorder: Recorder<Value, Failure>, end: Latch) {
    let recorder = Recorder<Value, Failure>()
    let end = Latch()
    subscribe(
      next: { recorder.next($0) },
      failed: {
        recorder.fail($0)
        end.signal()
      },
      completed: {
        recorder.complete()
        end.signal()
      }
    )
    return (recorder, end)
  }
}
