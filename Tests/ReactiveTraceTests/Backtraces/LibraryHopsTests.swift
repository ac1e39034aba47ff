import Glibc
import Testing

@testable import ReactiveTrace
import TraceReading

/// A stand-in for another library: a method that is called through the witness table of a protocol.
protocol Greeting: AnyObject {
  func greet() -> String
}
final class Plain: Greeting {
  func greet() -> String { "plain" }
}
final class Redirected: Greeting {
  func greet() -> String { "redirected" }
}

@Suite struct LibraryHopsTests {
  /// The word of the witness table through which the method is called.
  private static func word(_ greeting: any Greeting) throws -> UnsafePointer<UInt> {
    let (_, table) = unsafeBitCast(Both(greeting: greeting), to: (UInt, UInt).self)
    return try #require(UnsafePointer<UInt>(bitPattern: table)) + 1
  }
  private struct Both {
    let greeting: any Greeting
  }

  @inline(never)
  static func greetings(_ all: [any Greeting]) -> [String] { all.map { $0.greet() } }

  @Test func aProtocolMethodIsRedirectedOnce() async {
    await #expect(processExitsWith: .success) {
      let (plain, redirected) = (Plain(), Redirected())
      let word = try LibraryHopsTests.word(plain)
      let replacement = try LibraryHopsTests.word(redirected).pointee
      let function = word.pointee
      #expect(Tracer.redirect(word, from: function, to: replacement))
      #expect(LibraryHopsTests.greetings([plain, redirected]) == ["redirected", "redirected"])
      #expect(!Tracer.redirect(word, from: function, to: replacement))
    }
  }

  @Test func noOtherWordIsChanged() async {
    await #expect(processExitsWith: .success) {
      let word = try LibraryHopsTests.word(Plain())
      let replacement = try LibraryHopsTests.word(Redirected()).pointee
      // Each of these calls is refused: its old value is not stored in the word, its word is
      // outside of all images (loaded files), its word is not aligned, or its old value is a
      // function of another image.
      #expect(!Tracer.redirect(word, from: word.pointee + 1, to: replacement))
      let heap = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
      defer { heap.deallocate() }
      heap.pointee = word.pointee
      #expect(!Tracer.redirect(heap, from: word.pointee, to: replacement))
      #expect(heap.pointee == word.pointee)
      #expect(!Tracer.redirect(UnsafeRawPointer(word) + 1, from: word.pointee, to: replacement))
      let other = UInt(bitPattern: dlsym(nil, "getpid"))
      #expect(!Tracer.redirect(word, from: other, to: replacement))
      #expect(LibraryHopsTests.greetings([Plain()]) == ["plain"])
    }
  }

  @Test func hopsBeginWithARecordingThatIncludesThem() async {
    for hops in [HopScope.own, .all] {
      await #expect(processExitsWith: .success) { [hops = hops.rawValue as UInt32] in
        BegunHops.count = 0
        Tracer.onHopsBegin { BegunHops.count += 1 }
        #expect(BegunHops.count == 0)
        var options = TraceOptions()
        options.hops = try #require(HopScope(rawValue: hops))
        options.path = "/tmp/reactive-hops-\(getpid()).rxtrace"
        try Trace.start(options)
        unlink(options.path ?? "")
        #expect(BegunHops.count == Int(hops))
        #expect((Tracer.captureOrigin(.eventLoop).chain != 0) == (options.hops == .all))
        // A function that is registered later is called immediately if all hops are recorded.
        Tracer.onHopsBegin { BegunHops.count += 10 }
        #expect(BegunHops.count == 11 * Int(hops))
      }
    }
  }

  @inline(never)
  static func ask() -> TraceOrigin {
    let origin = askForWork()
    precondition(getpid() > 0)
    return origin
  }
  @inline(never)
  static func askForWork() -> TraceOrigin {
    let origin = Tracer.captureOrigin(.eventLoop)
    precondition(getpid() > 0)
    return origin
  }

  @Test func workHasTheBacktraceOfTheCallerOfTheFunctionThatRequestsIt() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let origin = LibraryHopsTests.ask()
      let parts = Tracer.perform(from: origin) { AsyncBacktrace.current.parts }
      #expect(parts.count == 2 && parts.last?.scheduler == "EventLoop")
      #expect(parts.last?.frames.first?.function?.hasSuffix("LibraryHopsTests.ask()") == true)
      #expect(AsyncBacktrace.current.parts.count == 1)
    }
  }
}

/// Counts the calls of the functions that are registered with `onHopsBegin`.
enum BegunHops {
  nonisolated(unsafe) static var count = 0
}
