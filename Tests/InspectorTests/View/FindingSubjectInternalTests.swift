import Testing
import TraceFindings
import TraceModel
import TraceReading

@testable import InspectorUI

@Suite struct FindingSubjectInternalTests {
  /// The arguments are faults and the kinds of entity that their findings accuse.
  @Test(arguments: [
    (Fault.silentSubject, EntityKind.signal), (.hangingInner, .subscription),
    (.orphanTimer, .timer), (.crowdedBag, .owner),
  ])
  func aFindingLeadsToTheEntityThatItAccuses(fault: Fault, kind: EntityKind) throws {
    let recording = fault.recording
    let finding = try #require(recording.findings.first { $0.subject != nil })
    let key = try #require(finding.subject)
    let slot = try #require(recording.snapshot.slots.first { $0.id == key.id })
    #expect(slot.kind == kind)
    let expected: Scope =
      switch kind {
      case .signal: .signal(key)
      case .timer: .timer(key)
      case .owner: .owner(key)
      case .subscription, .none: .subscription(key)
      }
    #expect(FindingsView.subject(of: finding) == expected)
  }
}
