internal import Glibc
internal import ReactiveTrace

/// Loads a second copy of the recorder into the process, as a plug-in with its own copy does, when
/// started with `two-copies LIBRARY`.
enum SecondCopy {
  static func run(_ library: String) {
    Workload.work(10)
    guard let copy = dlopen(library, RTLD_NOW | RTLD_LOCAL) else {
      fail(dlerror().map { String(cString: $0) } ?? "'\(library)' cannot be loaded")
    }
    // These are the mangled names of `Trace.startFromEnvironment()`, `Trace.mark(_:)` and
    // `Trace.stop()` of the copy. For static methods without arguments, or with an argument of two
    // words, Swift's calling convention is that of C.
    let start = function(copy, "$s13ReactiveTrace0B0O20startFromEnvironmentyyFZ")
    let mark = function(copy, "$s13ReactiveTrace0B0O4markyySSFZ")
    let stop = function(copy, "$s13ReactiveTrace0B0O4stopyyFZ")
    typealias Plain = @convention(c) () -> Void
    let name = unsafeBitCast("copy", to: (UInt64, UInt64).self)
    unsafeBitCast(start, to: Plain.self)()
    for _ in 0..<10 {
      unsafeBitCast(mark, to: (@convention(c) (UInt64, UInt64) -> Void).self)(name.0, name.1)
      Workload.work(10)
    }
    unsafeBitCast(stop, to: Plain.self)()
    Workload.work(10)
  }

  /// Loads one copy from each file, each of which has its own thread-local storage, when started
  /// with `plug-ins LIBRARY…`.
  static func load(_ libraries: [String]) {
    Workload.work(10)
    for library in libraries {
      guard dlopen(library, RTLD_NOW | RTLD_LOCAL) != nil else {
        fail(dlerror().map { String(cString: $0) } ?? "'\(library)' cannot be loaded")
      }
    }
  }

  private static func function(_ library: UnsafeMutableRawPointer, _ name: String)
    -> UnsafeMutableRawPointer
  {
    guard let symbol = dlsym(library, name) else { fail("the library has no '\(name)'") }
    return symbol
  }
}
