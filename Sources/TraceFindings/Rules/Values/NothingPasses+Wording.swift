import TraceModel
import TraceReading

/// The texts of a finding about an operator that forwards nothing.
extension NothingPasses {
  static func draft(
    _ stuck: Stuck,
    others: Int,
    _ walk: UpstreamWalk,
    _ context: FindingContext
  ) -> FindingDraft {
    let facts = context.facts
    let row = facts.site(stuck.stage.site)
    let names = stuck.inputs.map { "\(facts.site($0.site).place) sent \($0.eventCount)" }
      .joined(separator: ", ")
    let time = Duration.seconds(facts.age(stuck.since)).brief
    let also =
      others > 0
      ? " \(Words.count(others, "more subscription")) made there \(others == 1 ? "is" : "are") in "
        + "the same state."
      : ""
    var members = [stuck.stage] + stuck.inputs
    var numbers: [UInt64] = []
    let why: String
    let remedy: String
    var level = FindingLevel.suspect
    var proof: [String] = []
    switch stuck.reason {
    case .silent(let input):
      members.append(input)
      let source = walk.furthest(upstreamOf: input)
      let name = facts.site(source.site).place
      why = "\(name) has sent none yet"
      remedy =
        "Find out why \(name) sends nothing, or give it a first value: startWith, or a "
        + "BehaviorSubject."
    case .over(let inputs):
      let name = Set(inputs.map { facts.site($0.site).place }).sorted().joined(separator: " or ")
      numbers = inputs.flatMap { [$0.creation, $0.end] }.filter { $0 != 0 }
      why = "\(name) has ended without a value, so that nothing can ever pass"
      remedy =
        "Give \(name) a value before it ends (defaultIfEmpty, startWith), or leave it out of \(row.place)."
      level = .leak
      proof = [
        "\(row.place) sends nothing before each of its inputs has sent",
        "\(name) has sent nothing", "it has ended",
      ]
    case .trigger(let trigger):
      if let trigger {
        members.append(trigger)
        let name = facts.site(walk.furthest(upstreamOf: trigger).site).place
        why = "its trigger, \(name), has sent nothing"
        remedy = "Find out why \(name) sends nothing, or use a trigger that fires."
      } else {
        why = "its trigger has ended"
        remedy = "Give \(row.place) a trigger that does not end before it has fired."
      }
    case .pause:
      why = "there was never a pause as long as it waits for"
      remedy =
        "Use throttle or sample instead of \(row.place), which send at intervals however steadily values come."
    case .end(let source):
      proof = [
        "\(row.place) sends when its input ends", "\(source.place) never ends by itself",
        "no operator between ends it",
      ]
      why = "it sends when its input ends, and \(source.place) never ends"
      remedy =
        row.traits.contains(.waitsForAll)
        ? "End what comes to \(row.place) with take(1) where one value is wanted, or use combineLatest, which sends each time."
        : "End what comes to \(row.place) with take or take(until:)"
          + (row.traits.fate == .folds ? ", or use scan, which sends each step." : ".")
    }
    if let histories = context.histories {
      for slot in [stuck.stage] + stuck.inputs {
        if let place = histories.place(of: slot.key), histories.all[place].creation != 0 {
          numbers.append(histories.all[place].creation)
        }
      }
    }
    let blamed = blamed(stuck, walk, facts)
    let isOwn = blamed == row.index
    return FindingDraft(
      kind: .nothingPasses,
      level: level,
      site: blamed,
      subject: others == 0 && isOwn ? stuck.stage.key : nil,
      summary: "\(stuck.arrived) came, none passed",
      sentence:
        "\(Words.count(stuck.arrived, "value")) came \(isOwn ? "here" : "to \(row.place)") in \(time) and none has passed: \(names), and \(why).\(also)",
      remedy: remedy,
      evidence: Evidence(
        events: Set(numbers).sorted(),
        counters: ["values that came \(stuck.arrived)", "passed \(stuck.stage.eventCount)"]
      ),
      members: members,
      accusedStages: isOwn
        ? [AccusedRoot(stuck.stage)]
        : [],
      affected: [stuck.stage.key],
      rank: Rank(live: stuck.arrived, age: facts.age(stuck.since)),
      upstreamChain: walk.chain(upstreamOf: stuck.stage.site),
      explains: isOwn ? [] : [stuck.stage.site],
      proof: proof,
      ruledOut: ruledOut(stuck, facts)
    )
  }

  private static func ruledOut(_ stuck: Stuck, _ facts: FindingFacts) -> [String] {
    let time = Duration.seconds(facts.age(stuck.since)).brief
    return switch stuck.reason {
    case .pause:
      [
        "a burst: the \(stuck.arrived) values came over a third of its time at least"
      ]
    case .silent, .trigger:
      [
        "something that has only begun: it has been waiting for \(time)",
        "silence of everything: other inputs sent \(Words.count(stuck.arrived, "value"))",
      ]
    case .over, .end: []
    }
  }
}
