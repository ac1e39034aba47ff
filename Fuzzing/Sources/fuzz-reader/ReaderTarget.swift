internal import FuzzSupport
internal import Glibc
internal import InspectorUI
internal import TraceExports
internal import TraceFindings
internal import TraceModel
internal import TraceReading

/// Reads and shows a trace with any contents.
enum ReaderTarget {
  private static let file = MemoryFile()

  static func run(_ input: [UInt8]) {
    let (pieces, size) = DenseTrace.pieces(of: input)
    file.write(pieces, count: size)
    do throws(TraceError) {
      try read(file.path)
      if let first = input.first, first & 1 != 0 { try inspect(file.path, first) }
    } catch {
      precondition(!error.message.isEmpty)
    }
  }
}

/// Uses all functions of the reader, and checks what its callers rely on.
private func read(_ path: String) throws(TraceError) {
  let reader = try TraceReader(path: path)
  var snapshot = try reader.snapshot()
  let count = snapshot.records.count
  try reader.update(&snapshot)
  precondition(snapshot.records.count == count, "an update of a file at rest finds something new")
  var last: UInt64 = 0
  for record in snapshot.records {
    precondition(record.ticks >= last, "records that are not in the order of time")
    last = record.ticks
    _ = (record.entity, record.status, record.subscribing, record.timerArming)
    _ = (snapshot.nanoseconds(from: record.ticks), snapshot.realtime(of: record.ticks))
    _ = snapshot.isExact(record)
  }
  for (index, chain) in snapshot.chains.enumerated() {
    precondition(chain.parent == 0 || Int(chain.parent) < index, "a chain that leads to itself")
    precondition(chain.frames.count <= 20)
  }
  precondition(snapshot.nanosecondsPerTick > 0)
  precondition(snapshot.problems.count <= 200)
  for segment in try reader.segments() { _ = reader.records(of: segment) }
  if let record = snapshot.records.last { _ = reader.record(record.number) }
  _ = snapshot.exactFrom
  var lines = 0
  try TraceText.dump(reader) { line in lines += line.isEmpty ? 0 : 1 }
  precondition(lines > 0)
}

/// Shows the trace in rxtop's inspection, at the end and at some moments before.
private func inspect(_ path: String, _ choice: UInt8) throws(TraceError) {
  var source = try TraceSource(path: path)
  var inspection = try source.inspection(at: .end)
  var position = Position.end
  for step in Step.allCases {
    for _ in 0..<3 {
      guard let before = try source.step(step, forward: false, from: position) else { break }
      (inspection, position) = before
    }
    if let next = try source.step(step, forward: true, from: position) {
      (inspection, position) = next
    }
  }
  let screens = Screen.allCases
  _ = BatchText(
    screen: screens[Int(choice >> 1) % screens.count],
    filter: "",
    columns: 80,
    glyphs: .utf8,
    palette: nil
  ).render(inspection)
  _ = InspectionJSON.text(inspection)
}
