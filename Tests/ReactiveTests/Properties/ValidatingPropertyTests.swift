import Reactive
import ReactiveTesting
import Testing

@Suite struct ValidatingPropertyTests {
  private enum Reason: Sendable, Equatable {
    case tooLarge(by: Int)
    case negative
  }
  private typealias Validated = ValidatingProperty<Int, Reason>

  private static func test(_ value: Int, _ limit: Int) -> Validated.Decision {
    if value < 0 { return .substitute(0, because: .negative) }
    return value <= limit ? .accept : .reject(.tooLarge(by: value - limit))
  }

  @Test func aProposalIsAcceptedSubstitutedOrRejected() {
    let property = Validated(1) { Self.test($0, 10) }
    let values = property.signal.recorded()
    let outcomes = property.outcome.signal.recorded()
    property.value = 5
    #expect(property.propose(12) == .rejected(proposed: 12, .tooLarge(by: 2)))
    #expect(property.value == 5)
    property.value = -1
    #expect(property.value == 0)
    #expect(values.values == [1, 5, 0])
    #expect(
      outcomes.values == [
        .accepted(1), .accepted(5), .rejected(proposed: 12, .tooLarge(by: 2)),
        .substituted(0, proposed: -1, because: .negative),
      ]
    )
  }

  @Test func anOutcomeHasTheProposedAndTheAcceptedValueAndAReason() {
    let property = Validated(1) { Self.test($0, 10) }
    let outcomes = [3, 12, -1].map { property.propose($0) }
    #expect(outcomes.map(\.proposed) == [3, 12, -1])
    #expect(outcomes.map(\.accepted) == [3, nil, 0])
    #expect(outcomes.map(\.reason) == [nil, .tooLarge(by: 2), .negative])
  }

  @Test func theFirstValueIsKeptEvenIfTheTestRejectsIt() {
    let limit = MutableProperty(10)
    for property in [
      Validated(12) { Self.test($0, 10) }, Validated(12, with: limit) { Self.test($0, $1) },
    ] {
      #expect(property.value == 12)
      #expect(property.outcome.value == .rejected(proposed: 12, .tooLarge(by: 2)))
      #expect(property.signal.recorded().values == [12])
    }
    #expect(Validated(-1, with: limit) { Self.test($0, $1) }.value == -1)
  }

  @Test func testsTheLastProposalAgainWhenADependencyChanges() {
    let limit = MutableProperty(10)
    let property = Validated(1, with: limit) { Self.test($0, $1) }
    let values = property.signal.recorded()
    property.value = 12
    #expect(property.value == 1)
    limit.value = 20
    #expect(property.value == 12)
    limit.value = 11
    #expect(property.value == 12)
    #expect(property.outcome.value == .rejected(proposed: 12, .tooLarge(by: 1)))
    #expect(values.values == [1, 12])
  }

  @Test func aPropertyMayDependOnAnotherThatIsTested() {
    let first = Validated(5) { Self.test($0, 10) }
    let second = Validated(3, with: first) { Self.test($0, $1) }
    first.value = 20
    second.value = 8
    #expect(second.value == 3)
    first.value = 9
    #expect(second.value == 8)
  }

  @Test func aSubscriberGetsTheValueEvenAfterARejection() {
    let property = Validated(1) { Self.test($0, 10) }
    property.value = 12
    let seen = property.signal.recorded()
    property.value = 13
    property.value = 2
    #expect(seen.values == [1, 2])
  }

  @Test func completesWithItsOwnerAndReleasesItsDependencies() {
    let limit = MutableProperty(10)
    let lives = LifeCount()
    let property = Box(
      Validated(1, with: limit) { [token = lives.token()] value, limit in
        token.touch()
        return Self.test(value, limit)
      }
    )
    let values = property.value!.signal.recorded()
    let outcomes = property.value!.outcome.signal.recorded()
    let copy = property.value!.readOnly
    property.value = nil
    #expect(values.events == [.next(1), .completed])
    #expect(outcomes.isCompleted)
    #expect(copy.value == 1)
    #expect(lives.count == 0)
    limit.value = 0
    #expect(copy.value == 1)
  }

  @Test func itsDescriptionIsTheGivenNameOrItsType() {
    #expect("\(Validated(1) { Self.test($0, 10) }.signal)" == "ValidatingProperty(…)")
    #expect(
      "\(Validated(1) { Self.test($0, 10) }.outcome.signal)" == "ValidatingProperty(…).outcome"
    )
    #expect("\(Validated(1, "share") { Self.test($0, 10) }.signal)" == "share")
  }

  @Test func outcomeAndValueAgreeAfterConcurrentProposalsAndLimitChanges() {
    for _ in 0..<scaledCount(200) {
      let limit = MutableProperty(0)
      let property = Validated(0, with: limit) { Self.test($0, $1) }
      onPlainThreads(3) { index in
        for value in 1...20 {
          if index == 2 { limit.value = value } else { property.value = value + index }
        }
      }
      let proposed = property.outcome.value.proposed
      // When the limit changes, the property tests the last proposal again, so that its outcome
      // depends on the last limit, 20.
      #expect(property.outcome.value.accepted == (proposed <= 20 ? proposed : nil))
      if let accepted = property.outcome.value.accepted { #expect(property.value == accepted) }
    }
  }
}
