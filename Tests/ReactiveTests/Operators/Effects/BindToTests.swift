import Reactive
import ReactiveTesting
import Testing

@Suite struct BindToTests {
  private final class Board: Sendable {
    private let box = Box<Int>(0)
    let lives: LifeCount.Token
    init(_ lives: LifeCount) { self.lives = lives.token() }
    var total: Int {
      get { box.value ?? 0 }
      set { box.value = newValue }
    }
  }

  @Test func setsThePropertyToEachValue() {
    let board = Board(LifeCount())
    let subject = Subject<Int, Never>()
    let disposable = subject.signal.bind(to: \.total, on: board)
    subject.send(1)
    #expect(board.total == 1)
    subject.send(2)
    #expect(board.total == 2)
    disposable.dispose()
    subject.send(3)
    #expect(board.total == 2)
  }

  @Test func theTargetIsNotRetainedAndItsReleaseEndsTheBindingAtTheNextValue() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let disposable: any Disposable
    do {
      let board = Board(lives)
      disposable = subject.signal.bind(to: \.total, on: board)
      subject.send(1)
      #expect(board.total == 1)
    }
    #expect(lives.count == 0)
    #expect(!disposable.isDisposed)
    subject.send(2)
    #expect(disposable.isDisposed)
  }

  @Test func theBindingEndsWithTheSignal() {
    let board = Board(LifeCount())
    #expect(Signal<Int, Never>.just(7).bind(to: \.total, on: board).isDisposed)
    #expect(board.total == 7)
  }
}
