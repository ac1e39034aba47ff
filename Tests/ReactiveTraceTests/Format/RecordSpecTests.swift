import ReactiveTrace
import Testing

/// The table of the kinds of records is consistent.
@Suite struct RecordSpecTests {
  @Test func hasEachKindOnceInTheOrderOfItsNumber() {
    let numbers = RecordSpec.all.map(\.number)
    #expect(
      numbers
        == (RecordKind.allCases.map(\.rawValue) + ShortRecordKind.allCases.map(\.rawValue)).sorted()
    )
    #expect(Set(numbers).count == numbers.count)
    for spec in RecordSpec.all {
      #expect(RecordSpec.of(number: spec.number)?.name == spec.name)
      #expect((RecordSpec.of(spec.kind).name == spec.name) != spec.isShort)
      #expect(spec.isShort == (ShortRecordKind(rawValue: spec.number)?.longForm == spec.kind))
    }
  }

  @Test func namesAreUniqueAndPlain() {
    let names = RecordSpec.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(name.allSatisfy { $0.isLowercase || $0 == "-" } && !name.isEmpty, "\(name)")
      // These words have another meaning in the text form.
      #expect(!["kind", "expect", "raw", "set"].contains(name))
    }
  }

  @Test func argumentsOfARecordHaveDifferentNames() {
    for spec in RecordSpec.all {
      let arguments = [spec.identifier, spec.argument] + spec.more
      let named = arguments.filter { $0.type != .none }
      #expect(Set(named.map(\.name)).count == named.count, "\(spec.name)")
      for argument in arguments { #expect((argument.type == .none) == argument.name.isEmpty) }
      #expect(spec.identifier.type != .none, "\(spec.name)")
      #expect(!spec.more.contains { $0.type == .none }, "\(spec.name)")
    }
  }

  @Test func continuationsComeInPairsAndFit() {
    for spec in RecordSpec.all {
      #expect(spec.more.count % 2 == 0, "\(spec.name)")
      #expect(1 + spec.continuations <= Layout.Record.longest, "\(spec.name)")
      // A continuation (a slot that extends the record before it) holds two values. The first has
      // 48 bits, so it must not be of a type that may need more.
      for (index, value) in spec.more.enumerated() where index % 2 == 0 {
        #expect(![.serial, .ticks, .count].contains(value.type), "\(spec.name), \(value.name)")
      }
    }
    #expect(RecordSpec.all.contains { 1 + $0.continuations == Layout.Record.longest })
  }

  @Test func anEndingRecordHasTheIdentifierTypeOfItsBeginning() {
    for spec in RecordSpec.all {
      guard let begins = spec.begins.map(RecordSpec.of) else { continue }
      #expect(begins.identifier.type == spec.identifier.type, "\(spec.name)")
      #expect(begins.kind.rawValue < spec.kind.rawValue && begins.isEvent == spec.isEvent)
    }
  }

  @Test func everyMeaningEndsWithAPeriod() {
    for spec in RecordSpec.all {
      #expect(spec.meaning.hasSuffix(".") && !spec.meaning.contains("|"), "\(spec.name)")
    }
  }
}
