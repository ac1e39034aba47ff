import Reactive
import ReactiveTesting
import Testing

@Suite struct MapToTests {
  private struct User: Sendable {
    let name: String
  }

  @Test func sendsTheSameValueForEach() {
    expectMarbles("-1-2-3-|", "-x-x-x-|") { $0.map(to: "x") }
    expectMarbles("-1-#", "-x-#") { $0.map(to: "x") }
    expectMarbles("|", "|") { $0.map(to: "x") }
  }

  @Test func sendsAProperty() {
    let users = Signal<User, Never>.from([User(name: "Ann"), User(name: "Bob")])
    let keyPath: any KeyPath<User, String> & Sendable = \.name
    #expect(users.map(keyPath).recorded().events == [.next("Ann"), .next("Bob"), .completed])
    #expect(users.map(\.name).map(\.count).recorded().values == [3, 3])
  }

  @Test func nilIsReplaced() {
    let source = Signal<Int?, TestFailure>.from([1, nil, 3])
    #expect(
      source.replaceNil(with: 0).recorded().events == [1, 0, 3].map { .next($0) } + [.completed]
    )
  }

  @Test func onlyTheOuterOptionalIsReplaced() {
    let source = Signal<Int??, Never>.from([.some(nil), nil])
    #expect(source.replaceNil(with: 7).recorded().values == [nil, 7])
  }

  @Test func aTrailingClosureIsAFunctionNotTheConstant() {
    struct Alert: Sendable, Equatable {
      let text: String
    }
    let alerts = Signal<Void, Never>.just(()).map { Alert(text: "quiet") }
    #expect(alerts.recorded().values == [Alert(text: "quiet")])
    let differences = Signal<Int, Never>.from([1, 3]).combinePrevious().map { $1 - $0 }
    #expect(differences.recorded().values == [2])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("map(to:)") { $0.map(to: 1) }
    checkOperatorContract("map") { source in source.map(\.description) }
    checkOperatorContract("replaceNil(with:)") { source in
      source.map { $0.isMultiple(of: 2) ? nil : $0 }.replaceNil(with: 0)
    }
  }
}
