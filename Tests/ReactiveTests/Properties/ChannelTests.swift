import Reactive
import ReactiveTesting
import Testing

@Suite struct ChannelTests {
  @Test func valuesSentIntoOneEndAreSentByTheOther() {
    let channel = Channel<Int, TestFailure>()
    let leading = channel.leading.signal.recorded()
    let following = channel.following.signal.recorded()
    channel.leading.send(1)
    channel.following.send(2)
    #expect(leading.values == [2])
    #expect(following.values == [1])
  }

  @Test func onlyTheFollowingEndReplaysTheLatestValue() {
    let channel = Channel<Int, TestFailure>()
    channel.leading.send(1)
    channel.leading.send(2)
    channel.following.send(3)
    #expect(channel.following.signal.recorded().values == [2])
    #expect(channel.leading.signal.recorded().values == [])
  }

  @Test func theEndOfEitherTerminalEndsBothPermanently() {
    for sendsToLeading in [true, false] {
      let channel = Channel<Int, TestFailure>()
      let early = [channel.leading.signal.recorded(), channel.following.signal.recorded()]
      let ending = sendsToLeading ? channel.leading : channel.following
      channel.leading.send(1)
      ending.fail(TestFailure(code: 1))
      channel.leading.complete()
      channel.following.send(2)
      #expect(early[0].events == [.failed(TestFailure(code: 1))])
      #expect(early[1].events == [.next(1), .failed(TestFailure(code: 1))])
      #expect(channel.leading.signal.recorded().events == [.failed(TestFailure(code: 1))])
      #expect(
        channel.following.signal.recorded().events == [.next(1), .failed(TestFailure(code: 1))]
      )
    }
  }

  @Test func subscriptionsEndWhenNothingCanSendToThem() {
    var channel: Channel<Int, Never>? = Channel()
    let leading = channel?.leading
    let fromFollowing = channel?.following.signal.recorded()
    let fromLeading = leading?.signal.recorded()
    channel = nil
    #expect(fromLeading?.isDisposed == true)
    #expect(fromLeading?.hasEnded == false)
    #expect(fromFollowing?.isDisposed == false)
    leading?.send(1)
    #expect(fromFollowing?.values == [1])
  }

  @Test func forwardingIntoOneTerminalContinuesWithoutTheOther() {
    var channel: Channel<Int, TestFailure>? = Channel()
    let fromFollowing = channel?.following.signal.recorded()
    let source = Subject<Int, TestFailure>()
    let other = Subject<Int, TestFailure>()
    let leading = channel?.leading
    let forwarding = leading.map { source.signal.subscribe($0) }
    channel = nil
    source.send(1)
    #expect(forwarding?.isDisposed == false)
    let later = leading.map { other.signal.subscribe($0) }
    other.send(2)
    source.send(3)
    #expect(fromFollowing?.values == [1, 2, 3])
    other.fail(TestFailure(code: 1))
    #expect(fromFollowing?.failure == TestFailure(code: 1))
    #expect(forwarding?.isDisposed == true)
    #expect(later?.isDisposed == true)
  }

  @Test func aForwardedSubscriptionEndsWithTheChannel() {
    let channel = Channel<Int, TestFailure>()
    let source = Subject<Int, TestFailure>()
    let forwardings = [channel.leading, channel.following].map { source.signal.subscribe($0) }
    channel.leading.complete()
    #expect(forwardings.allSatisfy { $0.isDisposed })
    #expect(source.signal.subscribe(channel.following).isDisposed)
  }

  @Test func aHandlerMaySendIntoTheChannel() {
    let channel = Channel<Int, Never>()
    let subscription = channel.following.signal.subscribe {
      if $0 < 3 { channel.following.send($0 + 1) }
    }
    let other = channel.leading.signal.subscribe { channel.leading.send($0) }
    let seen = channel.following.signal.recorded()
    channel.leading.send(1)
    #expect(seen.values == [1, 2, 3])
    subscription.dispose()
    other.dispose()
  }

  @Test func nothingIsReceivedAfterDisposalFromInsideAHandler() {
    let channel = Channel<Int, Never>()
    let handle = SingleAssignmentDisposable()
    let seen = Recorder<Int, Never>()
    handle.set(
      channel.following.signal.subscribe { value in
        seen.next(value)
        channel.leading.send(value + 1)
        handle.dispose()
      }
    )
    channel.leading.send(1)
    #expect(seen.values == [1])
  }

  @Test func onlyOneOfTheEndsThatEightThreadsSendCounts() {
    for _ in 0..<scaledCount(200) {
      let channel = Channel<Int, TestFailure>()
      let leading = Recorder<Int, TestFailure>()
      let following = Recorder<Int, TestFailure>()
      for (signal, seen) in [
        (channel.leading.signal, leading), (channel.following.signal, following),
      ] {
        signal.subscribe(
          next: { seen.next($0) },
          failed: { seen.fail($0) },
          completed: { seen.complete() }
        )
      }
      onPlainThreads(8) { index in
        let terminal = index % 2 == 0 ? channel.leading : channel.following
        terminal.send(index)
        if index < 4 { terminal.fail(TestFailure(code: index)) } else { terminal.complete() }
      }
      #expect(leading.events.last == following.events.last)
      #expect(leading.events.count(where: \.isTerminal) == 1)
    }
  }
}

@Suite struct PropertyChannelTests {
  @Test func sendsTheValueAndChangesButNotValuesSentToTheTerminal() {
    let property = MutableProperty(0)
    let first = property.channel()
    let second = property.channel()
    let ofFirst = first.signal.recorded()
    let ofSecond = second.signal.recorded()
    first.send(1)
    #expect(property.value == 1)
    property.value = 2
    second.send(3)
    #expect(ofFirst.values == [0, 2, 3])
    #expect(ofSecond.values == [0, 1, 2])
  }

  @Test func changesPassThroughAChainOfConversionsWithoutEcho() {
    let number = MutableProperty(1)
    let text = MutableProperty("")
    let label = MutableProperty("")
    connect(number.channel(), text.channel(), { "\($0)" }, { Int($0) ?? 0 })
    connect(text.channel(), label.channel(), { "<\($0)>" }, { String($0.dropFirst().dropLast()) })
    let seen = label.signal.recorded()
    #expect(label.value == "<1>")
    number.value = 2
    label.value = "<3>"
    #expect(number.value == 3)
    #expect(text.value == "3")
    #expect(seen.values == ["<1>", "<2>", "<3>"])
  }

  private func connect<A, B>(
    _ a: ChannelTerminal<A, Never>,
    _ b: ChannelTerminal<B, Never>,
    _ there: @escaping @Sendable (A) -> B,
    _ back: @escaping @Sendable (B) -> A
  ) {
    a.signal.map(there).subscribe(b)
    b.signal.skip(1).map(back).subscribe(a)
  }

  @Test func completesWithTheProperty() {
    let seen = Recorder<Int, Never>()
    var terminal: ChannelTerminal<Int, Never>?
    do {
      let property = MutableProperty(0)
      terminal = property.channel()
      if let terminal { seen.record(terminal.signal) }
      property.value = 1
    }
    terminal?.send(2)
    #expect(seen.events == [.next(0), .next(1), .completed])
  }

  @Test func completingTheTerminalDoesNotEndTheProperty() {
    let property = MutableProperty(0)
    let terminal = property.channel()
    let seen = terminal.signal.recorded()
    let other = property.signal.recorded()
    terminal.complete()
    terminal.send(1)
    property.value = 2
    #expect(seen.events == [.next(0), .completed])
    #expect(terminal.signal.recorded().events == [.completed])
    #expect(other.values == [0, 2])
  }

  @Test func forwardsAChannelToAProperty() {
    let channel = Channel<Int, Never>()
    let property = MutableProperty(0)
    let terminal = property.channel()
    channel.following.signal.subscribe(terminal)
    terminal.signal.skip(1).subscribe(channel.following)
    let leading = channel.leading.signal.recorded()
    channel.leading.send(1)
    property.value = 2
    #expect(property.value == 2)
    #expect(leading.values == [2])
  }

  @Test func itsSubscriptionsAreFreedWhenTheyEnd() {
    let lives = LifeCount()
    let property = MutableProperty(0)
    let terminal = property.channel()
    let subscription = terminal.signal.subscribe { [t = lives.token()] _ in t.touch() }
    subscription.dispose()
    #expect(lives.count == 0)
    terminal.signal.subscribe { [t = lives.token()] _ in t.touch() }
    terminal.complete()
    #expect(lives.count == 0)
  }
}
