import Foundation
import Reactive
import Testing

@Suite struct EventTransformingTests {
  private typealias Sample = Event<Int, CodedFailure>

  private struct CodedFailure: Error, Hashable, Codable {
    var code: Int
  }

  @Test func returnsTheValueOrTheFailureItContains() {
    #expect(Sample.next(1).value == 1)
    #expect(Sample.next(1).failure == nil)
    #expect(Sample.failed(CodedFailure(code: 2)).value == nil)
    #expect(Sample.failed(CodedFailure(code: 2)).failure?.code == 2)
    #expect(Sample.completed.value == nil)
    #expect(Sample.completed.failure == nil)
  }

  @Test func mapsOnlyTheValueOrTheFailureItContains() {
    #expect(Sample.next(1).map { "\($0)" } == .next("1"))
    #expect(Sample.completed.map { "\($0)" } == .completed)
    #expect(Sample.failed(CodedFailure(code: 2)).map { "\($0)" } == .failed(CodedFailure(code: 2)))
    #expect(Sample.next(1).mapFailure { _ in TestFailure() } == .next(1))
    #expect(Sample.completed.mapFailure { _ in TestFailure() } == .completed)
    let mapped = Sample.failed(CodedFailure(code: 2)).mapFailure { TestFailure(code: $0.code) }
    #expect(mapped == .failed(TestFailure(code: 2)))
  }

  @Test func equalEventsHaveEqualHashes() {
    let events: Set<Sample> = [
      .next(1), .next(1), .next(2), .failed(CodedFailure(code: 1)), .completed, .completed,
    ]
    #expect(events.count == 4)
    #expect(events.contains(.failed(CodedFailure(code: 1))))
  }

  @Test(
    arguments: [
      (.next(7), #"{"next":7}"#),
      (.failed(CodedFailure(code: 3)), #"{"failed":{"code":3}}"#),
      (.completed, #"{"completed":true}"#),
    ] as [(Event<Int, CodedFailure>, String)]
  )
  private func readsBackWhatItWrote(event: Event<Int, CodedFailure>, text: String) throws {
    #expect(String(decoding: try JSONEncoder().encode(event), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(Sample.self, from: Data(text.utf8)) == event)
  }

  @Test func eventsThatCannotFailAreEncodedAndDecoded() throws {
    let events: [Event<Int, Never>] = [.next(1), .completed]
    let data = try JSONEncoder().encode(events)
    #expect(String(decoding: data, as: UTF8.self) == #"[{"next":1},{"completed":true}]"#)
    #expect(try JSONDecoder().decode([Event<Int, Never>].self, from: data) == events)
  }

  @Test(arguments: ["{}", #"{"next":"x"}"#, "[]", #"{"other":1}"#])
  func malformedEventsAreNotDecoded(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Sample.self, from: Data(text.utf8))
    }
  }
}
