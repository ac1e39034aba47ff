import Reactive
import ReactiveTesting
import Testing

/// The checker of the operator contract must find operators that break its rules.
@Suite struct OperatorContractTests {
  private typealias Source = Signal<Int, ContractFailure>

  private static func brokenRules(_ apply: (Source) -> Signal<Int, ContractFailure>) -> Set<Int> {
    Set(operatorContractViolations("broken", [], { signal, _ in apply(signal) }).compactMap(\.rule))
  }

  @Test func findsNoViolationInACorrectOperator() {
    #expect(Self.brokenRules { $0 }.isEmpty)
    #expect(Self.brokenRules { $0.map { $0 }.filter { _ in true } }.isEmpty)
  }

  @Test func findsAnOperatorThatSwallowsCompletion() {
    let rules = Self.brokenRules { source in
      Source.create { observer in
        let inner = source.subscribe(
          next: { observer.send($0) },
          failed: { observer.fail($0) },
          completed: { _ = observer.isDisposed }
        )
        observer.onDispose {
          inner.dispose()
          withExtendedLifetime(observer) {}
        }
      }
    }
    #expect(rules.contains(1))
    #expect(rules.contains(11))
  }

  @Test func findsAnOperatorThatDoesNotEndItsUpstream() {
    let rules = Self.brokenRules { source in
      Source.create { observer in
        source.subscribe(
          next: { observer.send($0) },
          failed: { observer.fail($0) },
          completed: { observer.complete() }
        )
      }
    }
    #expect(rules == [9])
  }

  @Test func findsAnOperatorThatRetainsItsSource() {
    let kept = Recorder<Source, Never>()
    let rules = Self.brokenRules { source in
      source.doDisposed { kept.next(source) }
    }
    #expect(rules == [9])
  }

  @Test func findsAnOperatorThatSharesStateBetweenSubscriptions() {
    let rules = Self.brokenRules { source in
      let sum = Counter()
      return source.map { sum.add($0) }
    }
    #expect(rules == [5])
  }

  @Test func namesOperatorAndRule() {
    let violations = operatorContractViolations("mute", []) { (source: Source, _) in
      source.filter { _ in false }.merge(with: .never())
    }
    #expect(violations.contains { "\($0)".hasPrefix("mute breaks contract rule 1: ") })
  }

  @Test func anOperatorWithoutANameIsCheckedToo() {
    let kept = Recorder<Source, Never>()
    let violations = operatorContractViolations { (source: Source, _) in
      source.doDisposed { kept.next(source) }
    }
    #expect(!violations.isEmpty)
    for violation in violations {
      #expect("\(violation)".hasPrefix("the operator breaks contract rule 9: "))
    }
  }
}
