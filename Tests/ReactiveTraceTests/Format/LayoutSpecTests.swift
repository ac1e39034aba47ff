import CReactiveTraceShims
import ReactiveTrace
import Testing

/// `LayoutSpec`, from which the text form of traces and the tables of `TraceFormat.md` are made,
/// agrees with `Layout`.
@Suite struct LayoutSpecTests {
  /// The fields of `Layout`, by the name of their enumeration: read from the source, because
  /// nothing in a running program lists them.
  private func declared() throws -> [String: [String: (offset: Int, width: Int)]] {
    let source = try [
      "Layout", "Layout+FileHeader", "Layout+Lease", "Layout+Site", "SignalArgument",
    ]
    .map { try Files.text(Files.root + "/Sources/TraceFormat/\($0).swift") }.joined()
    var fields: [String: [String: (offset: Int, width: Int)]] = [:]
    var structure = ""
    let field = /static var (\w+): Field<UInt(\d+)> \{ Field\(at: (\d+)\)/
    let function = /static func (\w+)\(.*\) -> Field<UInt(\d+)> \{/
    var pending: (name: Substring, bits: Substring)?
    for line in source.split(separator: "\n") {
      if let match = line.firstMatch(of: /^  public enum (\w+)/) { structure = String(match.1) }
      if let match = line.firstMatch(of: field), let offset = Int(match.3), let bits = Int(match.2)
      {
        fields[structure, default: [:]][String(match.1)] = (offset, bits / 8)
      }
      if let match = line.firstMatch(of: function) { pending = (match.1, match.2) }
      if let known = pending, let match = line.firstMatch(of: /Field\(at: (\d+) \+/) {
        fields[structure, default: [:]][String(known.name)] = (
          Int(match.1) ?? -1, (Int(known.bits) ?? 0) / 8
        )
        pending = nil
      }
    }
    return fields
  }

  @Test func hasEveryFieldOfTheLayout() throws {
    let declared = try declared()
    #expect(declared.values.reduce(0) { $0 + $1.count } > 90)
    // Heaps and records have no rows, so the document describes them in prose.
    let structures = declared.filter { !["Record", "StringHeap", "StackHeap"].contains($0.key) }
    #expect(Set(structures.keys) == Set(LayoutSpec.all.map(\.layoutName)))
    for spec in LayoutSpec.all {
      for (name, place) in declared[spec.layoutName] ?? [:] {
        // Several values that share a word have separate names.
        let found = spec.fields.filter { $0.offset == place.offset }
        #expect(!found.isEmpty, "\(spec.layoutName).\(name) is not in LayoutSpec")
        #expect(found.allSatisfy { $0.width == place.width }, "\(spec.layoutName).\(name)")
        let isSame = found.count == 1 && found[0].bits == nil
        #expect(!isSame || found[0].name == name, "\(spec.layoutName).\(name)")
      }
    }
  }

  @Test func fieldsAreAlignedAndDoNotOverlap() {
    for spec in LayoutSpec.all {
      #expect(spec.byteCount % 8 == 0)
      var used: [Int: Int] = [:]
      for field in spec.fields {
        let place = "\(spec.name).\(field.name)"
        #expect(field.isBytes || field.offset % field.width == 0, "\(place)")
        #expect(field.offset + field.width * field.count <= spec.byteCount, "\(place)")
        let bits = field.bits ?? 0..<(field.width * field.count * 8)
        for bit in bits {
          let position = field.offset * 8 + bit
          #expect(used[position] == nil, "\(place) overlaps")
          used[position] = 1
        }
      }
      let names = spec.fields.map(\.name)
      #expect(Set(names).count == names.count)
    }
  }

  @Test func storedFieldsAreLoadedUnchanged() throws {
    let slot = try #require(LayoutSpec.tables[.slab])
    var bytes = [UInt8](repeating: 0xFF, count: slot.byteCount)
    let kind = try #require(slot.field("kind"))
    let state = try #require(slot.field("state"))
    let scheduler = try #require(slot.field("scheduler"))
    state.store(3, to: &bytes, at: 0)
    #expect(bytes[32...35].elementsEqual([0xFF, 3, 0xFF, 0xFF]))
    bytes.withUnsafeBytes { bytes in
      #expect(state.load(from: bytes, at: 0) == 3 && kind.load(from: bytes, at: 0) == 0xFF)
      #expect(scheduler.load(from: bytes, at: 0) == 0xFFFF && scheduler.limit == 0xFFFF)
      let word = Packing.state(.subscription, .ended, scheduler: 9)
      #expect(word == 2 | 4 << 8 | 9 << 16)
      #expect(slot.fields[0].load(from: bytes, at: 1 << 20) == 0)
    }
  }

  @Test func theRecordersHooksNumberHopsAsTheFormatDoes() {
    let numbers: [(Int, HopKind)] = [
      (RXT_HOP_SCHEDULER, .scheduler), (RXT_HOP_TASK, .task),
      (RXT_HOP_DETACHED_TASK, .detachedTask), (RXT_HOP_CHILD_TASK, .childTask),
      (RXT_HOP_ASYNC_LET, .asyncLet), (RXT_HOP_RESUMED, .resumed), (RXT_HOP_ASYNC, .async),
      (RXT_HOP_AFTER, .after), (RXT_HOP_GROUP, .group), (RXT_HOP_BARRIER, .barrier),
      (RXT_HOP_APPLY, .apply), (RXT_HOP_SOURCE, .source), (RXT_HOP_WORK_ITEM, .workItem),
      (RXT_HOP_THREAD, .thread), (RXT_HOP_TIMER, .timer), (RXT_HOP_RUN_LOOP, .runLoop),
      (RXT_HOP_OPERATION, .operation), (RXT_HOP_EVENT_LOOP, .eventLoop),
    ]
    #expect(Set(numbers.map(\.1)) == Set(HopKind.allCases))
    for (number, kind) in numbers { #expect(Int(kind.rawValue) == number, "\(kind)") }
    #expect(RXT_CRASH_FRAMES == Layout.StackHeap.limit)
  }
}
