import Glibc
import ReactiveTrace
import Testing
import TraceReading

@Suite(.serialized) struct ValueTests {
  private static func start(_ level: TraceLevel, max: TraceLevel = .values) throws {
    var options = TraceOptions()
    options.size = 256 << 10
    options.level = level
    options.startupSize = level == .graph ? 0 : nil
    options.maximumLevel = max
    options.path = "/tmp/rxtrace-test-\(getpid()).rxtrace"
    try Recording.reportingErrors { try Trace.start(options) }
    atexit { _ = unlink("/tmp/rxtrace-test-\(getpid()).rxtrace") }
  }

  private static func send(_ value: some Any, _ id: TraceID) {
    Tracer.next(id)
    Tracer.value(id, value)
  }

  private static func texts() throws -> [String] {
    try Recording.snapshot().records(.value).compactMap { $0.valueText?.text }
  }

  @Test func recordsTheDescriptionsOfValues() async {
    await #expect(processExitsWith: .success) {
      try Self.start(.values)
      let id = Recording.subscription()
      Self.send(42, id)
      Self.send("", id)
      Self.send(["a": 1], id)
      Self.send(String(repeating: "ä", count: 500), id)
      #expect(try Self.texts() == ["42", "", "[\"a\": 1]", String(repeating: "ä", count: 21)])
      let record = try #require(try Recording.snapshot().records(.value).last)
      #expect(record.valueText?.byteCount == 1000)
      #expect(record.entity == id)
    }
  }

  @Test func redactMayChangeOrWithholdDescriptions() async {
    await #expect(processExitsWith: .success) {
      try Self.start(.values)
      let id = Recording.subscription()
      Trace.redact = { $0.contains("secret") ? nil : "<\($0)>" }
      Self.send("my secret", id)
      Self.send(7, id)
      #expect(try Self.texts() == ["", "<7>"])
      Trace.redact = nil
      Self.send(8, id)
      #expect(try Self.texts().last == "8")
    }
  }

  /// Below level `values`, no part of a value is in the file, even if the level may be raised
  /// later.
  @Test(arguments: ["graph", "events"])
  func valuesNeverReachTheFileAtLowerLevels(level: String) async throws {
    await #expect(processExitsWith: .success) { [level = level as String] in
      let secret = "hunter2-" + String(getpid())
      struct Leak: Error, CustomStringConvertible {
        let description: String
      }
      let low: TraceLevel = level == "graph" ? .graph : .events
      try Self.start(low)
      let id = Recording.subscription()
      for _ in 0..<100 { Self.send(secret, id) }
      Tracer.failed(id, type(of: Leak(description: secret)))
      Trace.stop()
      let bytes = try Files.text(try #require(Trace.path))
      #expect(!bytes.contains("hunter2"))
      #expect(bytes.contains("Leak"), "the type of an error is there")
      // This shows that the test can fail: at level `values`, the secret is in the file.
      try Self.start(low)
      Trace.level = .values
      Self.send(secret, id)
      Trace.stop()
      #expect(try Self.texts() == [secret])
    }
  }

  @Test func aValueThatSendsWhileItIsDescribedDoesNoHarm() async {
    await #expect(processExitsWith: .success) {
      struct Loop: CustomStringConvertible {
        let id: TraceID
        var description: String {
          ValueTests.send(self, id)
          return "loop"
        }
      }
      try Self.start(.values)
      let id = Recording.subscription()
      Self.send(Loop(id: id), id)
      #expect(try Self.texts() == ["loop"])
      #expect(try Recording.snapshot().slot(id)?.eventCount == 2)
    }
  }

  @Test func valuesAreRecordedOnlyIfTheyAreAllowed() async {
    await #expect(processExitsWith: .success) {
      try Self.start(.events, max: .events)
      #expect(!Tracer.mayRecordValues)
      Trace.level = .values
      #expect(Trace.level == .events)
      Self.send("no", Recording.subscription())
      #expect(try Self.texts() == [])
    }
  }
}
