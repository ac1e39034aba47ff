public import Reactive
public import Testing

/// Plays a diagram through an operator and compares its output with another diagram.
///
/// ```swift
/// expectMarbles("-1-2-3-|", "-1---3-|") { $0.filter { $0 != "2" } }
/// ```
///
/// The source is cold and subscribed to in frame 0. Its values are strings of one character. Output
/// values are compared by their descriptions, and `legend` says what a character of `expected`
/// stands for:
///
/// ```swift
/// expectMarbles("-1-2-|", "-a-b-|", where: ["a": "1x", "b": "2x"]) { $0.map { $0 + "x" } }
/// ```
///
/// - Parameters:
///   - source: What the signal sends.
///   - expected: The expected output.
///   - legend: What characters of `expected` stand for: the descriptions of values, if these
///     descriptions are longer than one character.
///   - sourceLocation: Where a difference is reported.
///   - apply: Applies the operator.
public func expectMarbles<Output: Sendable, Failure: Error>(
  _ source: Marbles,
  _ expected: Marbles,
  where legend: [Character: String] = [:],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ apply: (Signal<String, MarbleFailure>) -> Signal<Output, Failure>
) {
  MarbleRun([("source", source)], expected, legend).expect(sourceLocation) { time in
    apply(time.cold(source))
  }
}

/// Plays a diagram through an operator that needs a scheduler, and compares its output with another
/// diagram.
///
/// ```swift
/// expectMarbles("-1-2-|", "----1-2-|") { signal, time in signal.delay(.frames(3), on: time) }
/// ```
///
/// - Parameters:
///   - source: What the signal sends.
///   - expected: The expected output.
///   - legend: What characters of `expected` stand for: the descriptions of values, if these
///     descriptions are longer than one character.
///   - sourceLocation: Where a difference is reported.
///   - apply: Applies the operator, with the scheduler on which the diagram is played.
public func expectMarbles<Output: Sendable, Failure: Error>(
  _ source: Marbles,
  _ expected: Marbles,
  where legend: [Character: String] = [:],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ apply: (Signal<String, MarbleFailure>, TestScheduler) -> Signal<Output, Failure>
) {
  MarbleRun([("source", source)], expected, legend).expect(sourceLocation) { time in
    apply(time.cold(source), time)
  }
}

/// Plays two diagrams through an operator that combines them.
///
/// If both have an event in the same frame, the event of the first signal comes first.
///
/// ```swift
/// expectMarbles("-1---2-|", "---a---|", "-1-a-2-|") { $0.merge(with: $1) }
/// ```
///
/// - Parameters:
///   - first: What the first signal sends.
///   - second: What the second signal sends.
///   - expected: The expected output.
///   - legend: What characters of `expected` stand for: the descriptions of values, if these
///     descriptions are longer than one character.
///   - sourceLocation: Where a difference is reported.
///   - apply: Applies the operator.
public func expectMarbles<Output: Sendable, Failure: Error>(
  _ first: Marbles,
  _ second: Marbles,
  _ expected: Marbles,
  where legend: [Character: String] = [:],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ apply: (Signal<String, MarbleFailure>, Signal<String, MarbleFailure>) -> Signal<Output, Failure>
) {
  MarbleRun([("first", first), ("second", second)], expected, legend).expect(sourceLocation) {
    apply($0.cold(first), $0.cold(second))
  }
}

/// Compares what a recorder has collected so far with a diagram.
///
/// Use it for tests that set up more than one operator: several sources, a whole model, or a
/// disposal at a certain time.
///
/// ```swift
/// let time = TestScheduler()
/// let seen = time.cold("-1-2-3").take(until: time.cold("----x")).recorded(at: time)
/// time.run()
/// expectMarbles(seen, "-1-2|")
/// ```
///
/// - Parameters:
///   - recorder: A recorder with a scheduler, whose time it records with each event.
///   - expected: The expected events.
///   - legend: What characters of `expected` stand for: the descriptions of values, if these
///     descriptions are longer than one character.
///   - sourceLocation: Where a difference is reported.
public func expectMarbles<Value: Sendable, Failure: Error>(
  _ recorder: Recorder<Value, Failure>,
  _ expected: Marbles,
  where legend: [Character: String] = [:],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var writer = MarbleWriter(legend, comparedWith: expected)
  let actual = writer.marbles(recorder.entries, frame: recorder.frame)
  if actual == expected { return }
  let rows = [("expected", expected), ("actual", actual)]
  let difference = "the marbles differ:\n" + Marbles.aligned(rows) + writer.legendText
  Issue.record(Comment(rawValue: difference), sourceLocation: sourceLocation)
}

/// Plays diagrams and compares the result with the expected diagram.
struct MarbleRun {
  private let sources: [(title: String, marbles: Marbles)]
  private let expected: Marbles
  private let legend: [Character: String]

  init(_ sources: [(String, Marbles)], _ expected: Marbles, _ legend: [Character: String]) {
    self.sources = sources
    self.expected = expected
    self.legend = legend
  }

  func expect<Output: Sendable, Failure: Error>(
    _ sourceLocation: SourceLocation,
    _ build: (TestScheduler) -> Signal<Output, Failure>
  ) {
    if let difference = difference(build) {
      Issue.record(Comment(rawValue: difference), sourceLocation: sourceLocation)
    }
  }

  /// The diagrams below each other, as lines for a report; nil if they are equal.
  func difference<Output: Sendable, Failure: Error>(
    _ build: (TestScheduler) -> Signal<Output, Failure>
  ) -> String? {
    let time = TestScheduler()
    let recorder = build(time).recorded(at: time)
    let longest = (sources.map(\.marbles) + [expected]).map(\.frameCount).max() ?? 0
    time.advance(by: .frames(longest + 50))
    recorder.dispose()
    var writer = MarbleWriter(legend, comparedWith: expected)
    let actual = writer.marbles(recorder.entries, frame: time.frame)
    if actual == expected { return nil }
    let rows = sources + [("expected", expected), ("actual", actual)]
    return "the marbles differ:\n" + Marbles.aligned(rows) + writer.legendText
  }
}
