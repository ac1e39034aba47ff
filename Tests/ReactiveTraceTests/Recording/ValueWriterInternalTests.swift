import Synchronization
import Testing

@testable import ReactiveTrace

/// The recorded text of a value is the beginning of `String(describing:)`.
@Suite struct ValueWriterInternalTests {
  private typealias Samples = ValueSamples

  /// The bytes of the text in a record.
  private static func bytes(_ record: PendingRecord) -> [UInt8] {
    let more = record.more
    let words = [more.0, more.1, more.2, more.3, more.4, more.5]
    return words.enumerated().flatMap { index, word in
      (0..<(index % 2 == 0 ? 6 : 8)).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
  }

  /// Compares the recorded text of a value with its description.
  private static func check<Value>(_ value: Value, _ location: SourceLocation = #_sourceLocation) {
    let whole = Array(String(describing: value).utf8)
    guard let record = ClippedText(describing: value)?.record(.value, 1) else {
      return #expect(Bool(false), "another one is described", sourceLocation: location)
    }
    let kept = bytes(record)
    let wanted = Array(whole.prefix(42))
    if Array(kept.prefix(wanted.count)) != wanted
      || kept.dropFirst(wanted.count).contains(where: { $0 != 0 })
    {
      let (found, due) = (
        String(decoding: kept, as: UTF8.self), String(decoding: wanted, as: UTF8.self)
      )
      #expect(found == due, "\(Value.self)", sourceLocation: location)
    }
    let isRight =
      record.argument == UInt32(whole.count) || (whole.count > 42 && record.argument == UInt32.max)
    if !isRight {
      #expect(Int(record.argument) == whole.count, "\(Value.self)", sourceLocation: location)
    }
  }

  /// Compares the recorded texts of a value, and of others that contain it, with their
  /// descriptions.
  private static func checkAll<Value>(_ value: Value, _ location: SourceLocation = #_sourceLocation)
  {
    check(value, location)
    check([value], location)
    check(Optional(value), location)
    check(value as Any, location)
    check([value as Any], location)
    check((value, 1), location)
    check((label: value, 1), location)
    check(Samples.Generic(part: value), location)
    check(Samples.Payload.one(value), location)
    check(Samples.Payload.labelled(value: value), location)
    check(Samples.Payload.two(value, 3), location)
    check(Samples.Payload.both(first: value, second: "\n"), location)
    check(Samples.Payload.optional(value), location)
    check(Samples.Payload<Int>.any(value), location)
    check(Samples.Payload.inner(.one(value)), location)
    check([1: value], location)
    check(Result<Value, Samples.Failure>.success(value), location)
    check([[value, value][...]], location)
    check(ContiguousArray([Optional(value), nil]), location)
  }

  @Test func valuesOfStandardTypesAreRecordedAsDescribed() {
    for number in [Int.min, -10, -1, 0, 1, 9, 10, 99, 100, Int.max] { Self.checkAll(number) }
    Self.checkAll(UInt.max)
    Self.checkAll((Int8.min, Int16.min, Int32.min, Int64.min))
    Self.checkAll((UInt8.max, UInt16.max, UInt32.max, UInt64.max))
    Self.checkAll((Int128.min, UInt128.max))
    Self.checkAll(true)
    Self.checkAll(())
    for number in [
      0, -0.0, 1, 0.1, 1e300, .infinity, .nan, -.nan, .signalingNaN, .leastNonzeroMagnitude,
    ] {
      Self.checkAll(number)
      Self.checkAll(Float(number))
    }
    Self.checkAll(Duration.milliseconds(1500))
    Self.checkAll("a" as Character)
    Self.checkAll("\u{301}" as Unicode.Scalar)
    Self.checkAll(0..<5)
    Self.checkAll("a"..."z")
    Self.checkAll(3...)
    Self.checkAll(stride(from: 0, to: 9, by: 2))
    Self.checkAll(CollectionOfOne(3))
    Self.checkAll(EmptyCollection<Int>())
    Self.checkAll(repeatElement("x", count: 3))
    Self.checkAll(KeyValuePairs(dictionaryLiteral: ("a", 1)))
    Self.checkAll(Set([1]))
    Self.checkAll(Set<String>())
    Self.checkAll([String: Int]())
    Self.checkAll(["a": ["b": 1]])
    Self.checkAll([Int]())
    Self.checkAll(Int??.some(nil))
    Self.checkAll(Int?.none)
    Self.checkAll(Result<Int, any Error>.failure(Samples.Failure.coded(3)))
    Self.checkAll(ObjectIdentifier(Samples.Object.self))
    Self.checkAll(UnsafeRawPointer(bitPattern: 64))
    Self.checkAll(SIMD2<Int>(1, 2))
    Self.checkAll("static" as StaticString)
    Self.checkAll(AnyHashable(3))
    Self.checkAll([1, 2, 3].lazy.map { $0 + 1 })
    Self.checkAll([1, 2, 3].enumerated())
    Self.checkAll(zip([1], ["a"]))
    Self.checkAll("abc".startIndex)
    Self.checkAll("abc".utf8)
    Self.checkAll([1: 2].keys)
    Self.checkAll(ContinuousClock())
    Self.checkAll(\Samples.One.only)
    Self.checkAll(Set(0..<100))
    Self.checkAll(Dictionary(uniqueKeysWithValues: zip(0..<100, 100..<200)))
    Self.checkAll(Array(0..<100))
    Self.checkAll(ContiguousArray(0..<100))
  }

  @Test func textsAreRecordedAsDescribed() {
    let parts = [
      "", "a", "\"", "\\", "\n\r\t\0", "\u{1}\u{1F}\u{7F}", "'", "ä", "\u{301}", "e\u{301}", "日本",
      "👩‍👩‍👧‍👦",
      "\u{200D}", "\u{600}", "\u{E0001}", "\r\n", "🇩🇪", String(repeating: "x", count: 41),
      String(repeating: "ä", count: 30), String(repeating: "日", count: 30),
      String(repeating: "\u{600}", count: 60), String(repeating: "\u{301}", count: 60),
    ]
    for first in parts {
      for second in parts {
        for third in parts {
          let text = first + second + third
          Self.check(text)
          Self.check([text])
          Self.check(Samples.Generic(part: text.dropFirst()))
        }
      }
      Self.checkAll(first)
      Self.checkAll(first[...])
      Self.checkAll(first.first)
    }
    for count in 36...48 { Self.checkAll(String(repeating: "\"", count: count)) }
    for count in 36...48 { Self.checkAll(String(repeating: "x", count: count)) }
  }

  @Test func structuresAndClassesAreRecordedAsDescribed() {
    Self.checkAll(Samples.Empty())
    Self.checkAll(Samples.Empty.hidden)
    Self.checkAll(Samples.One())
    Self.checkAll(Samples.Fields())
    Self.checkAll(Samples.Fields(next: [Samples.Fields()]))
    Self.checkAll(Samples.Pack<Int, String>(parts: (1, "a")))
    Self.checkAll(Samples.Streamed())
    Self.checkAll(Samples.Described())
    Self.checkAll(Samples.Debugged())
    Self.checkAll(Samples.All())
    Self.checkAll(Samples.Two())
    Self.checkAll(Samples.If(part: 1))
    Self.checkAll(Samples.If(part: "a"))
    Self.checkAll(Samples.Reflected())
    Self.checkAll(Samples.LikeATuple())
    Self.checkAll(Samples.LikeATupleDescribed())
    Self.checkAll(Samples.Object())
    Self.checkAll(Samples.Heir())
    Self.checkAll([Samples.Object(), Samples.Heir(), Samples.HeirOfHeir()] as [Samples.Object])
    Self.checkAll(Samples.HeirOfHeir() as Samples.Object)
    Self.checkAll(Samples.HeirOfHeir() as AnyObject)
    Self.checkAll(Samples.ReflectedObject())
    Self.checkAll(Samples.GenericObject<Int>())
    Self.checkAll(Samples.Worker())
    let object = Samples.Heir()
    Self.checkAll(
      Samples.References(weak: object, unowned: object, unmanaged: object, strong: object)
    )
    Self.checkAll(Samples.Special())
    Self.checkAll(Samples.Special().function)
    Self.checkAll(Int.self)
    Self.checkAll(Samples.Special().anyMetatype)
    Self.checkAll(Samples.Special().error)
    Self.checkAll(Samples.Special().heir)
    Self.checkAll(Samples.Special().object)
    Self.checkAll(Samples.Special().both)
    Self.checkAll(Samples.Parameterised())
    Self.checkAll(Samples.Parameterised().part)
    Self.checkAll(Samples.Described() as any CustomStringConvertible)
    Self.checkAll(Samples.Options.first)
    Self.checkAll(Samples.cTime)
    Self.checkAll(Samples.cUnion)
    Self.checkAll(Samples.cBits)
    Self.checkAll(InlineArray<3, Int>(repeating: 1))
    Self.checkAll((a: 1, b: "two", (3, c: [4])))
    func local() {
      struct Local { var value = 1 }
      enum LocalCase { case one(Local) }
      Self.checkAll(Local())
      Self.checkAll(LocalCase.one(Local()))
    }
    local()
  }

  @Test func enumerationsAreRecordedAsDescribed() {
    for value in [Samples.Plain.first, .second, .default, .`a b`] { Self.checkAll(value) }
    for value in [Samples.Failure.plain, .coded(1), .named(code: 3, text: "t")] {
      Self.checkAll(value)
      Self.checkAll(value as any Error)
    }
    Self.checkAll(Samples.Raw.one)
    Self.checkAll(Samples.Single.only)
    Self.checkAll(Samples.Named.one(1))
    Self.checkAll(Samples.ReflectedCase.one(1))
    for raw in 0..<UInt8(72) { Self.checkAll(Samples.Many(rawValue: raw)) }
    let payloads: [Samples.Payload<Int>] = [
      .none, .one(1), .labelled(value: 1), .two(1, 2), .both(first: 1, second: "b"), .tuple((1, 2)),
      .optional(1), .optional(nil), .any((1, 2)), .any(3), .any(Optional((1, 2)) as Any),
      .inner(.inner(.one(1))), .array([.none, .one(2)]), .function {}, .void(()),
    ]
    for payload in payloads { Self.checkAll(payload) }
    Self.checkAll(Samples.Payload<(a: Int, Int)>.one((a: 1, 2)))
    Self.checkAll(Samples.Payload<Void>.one(()))
    let list = (0..<40).reduce(Samples.List.end) { .link($1, $0) }
    Self.checkAll(list)
    Self.checkAll(Samples.Tree.branch([.leaf, .branch([.leaf, .branch([])])]))
  }

  /// A list of this length cannot be described completely: that would take more stack than there
  /// is.
  @Test func aLongListIsDescribedOnlyAsFarAsItIsKept() throws {
    var list = Samples.List.end
    for number in 0..<1000 { list = .link(number, list) }
    let record = try #require(ClippedText(describing: list)).record(.value, 1)
    #expect(record.argument == UInt32.max)
  }

  @Test func partsThatAreNotKeptAreNotDescribed() throws {
    let count = Samples.Counting.Count()
    let values = Array(repeating: Samples.Counting(count: count), count: 1_000_000)
    let record = try #require(ClippedText(describing: values)).record(.value, 1)
    #expect(record.argument == UInt32.max)
    #expect(count.calls == 5)
    #expect(
      String(decoding: Self.bytes(record), as: UTF8.self)
        == "[counted, counted, counted, counted, count"
    )
  }

  private static func text<Value>(_ value: Value) -> String { String(describing: value) }

  @Test func aDescriptionOnTheMainActorIsOnlyCalledThere() async throws {
    for _ in 0..<2 {
      await Task.detached {
        #expect(Self.text(OfTheMainActor()) == "OfTheMainActor()")
        Self.checkAll(OfTheMainActor())
      }.value
      await MainActor.run {
        #expect(Self.text(OfTheMainActor()) == "of the main actor")
        Self.checkAll(OfTheMainActor())
      }
    }
  }

  @Test func randomValuesAreRecordedAsDescribed() async {
    await #expect(processExitsWith: .success) {
      var random = Random(seed: 42)
      for _ in 0..<3000 {
        ValueWriterInternalTests.grow(Int(random.next(below: 1000)), &random, depth: 0)
      }
    }
  }

  /// Describes more types than there are writers for, on eight threads at once.
  @Test func manyTypesOnManyThreadsAreRecordedAsDescribed() async {
    await #expect(processExitsWith: .success) {
      Recording.onThreads(8) { index in
        var random = Random(seed: UInt64(index / 2))
        for _ in 0..<1500 {
          ValueWriterInternalTests.grow(Int(random.next(below: 1000)), &random, depth: -4)
        }
        ValueWriterInternalTests.checkAll(Samples.Special())
      }
    }
  }

  /// Wraps a value several times, and checks the recorded text of the result.
  private static func grow<Value>(_ value: Value, _ random: inout Random, depth: Int) {
    guard depth < 4, random.next(below: 8) != 0 else { return check(value) }
    let next = depth + 1
    switch random.next(below: 14) {
    case 0: grow([value], &random, depth: next)
    case 1: grow(Optional(value), &random, depth: next)
    case 2: grow((value, "t"), &random, depth: next)
    case 3: grow((label: value, 2.5), &random, depth: next)
    case 4: grow(Samples.Generic(part: value), &random, depth: next)
    case 5: grow(Samples.Payload.one(value), &random, depth: next)
    case 6: grow(Samples.Payload.inner(.labelled(value: value)), &random, depth: next)
    case 7: grow(["k": value], &random, depth: next)
    case 8: grow(value as Any, &random, depth: next)
    case 9: grow(Result<Value, Samples.Failure>.success(value), &random, depth: next)
    case 10: grow([value, value][1...], &random, depth: next)
    case 11: grow(Samples.If(part: value), &random, depth: next)
    case 12:
      grow(Samples.Payload<Value>.array([.none, .tuple((value, value))]), &random, depth: next)
    default: grow(Samples.Pack<Value, Bool>(parts: (value, true)), &random, depth: next)
    }
  }
}

@MainActor private struct OfTheMainActor {
  nonisolated init() {}
}

extension OfTheMainActor: @MainActor CustomStringConvertible {
  var description: String { "of the main actor" }
}
