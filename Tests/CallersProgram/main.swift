import Glibc
import Reactive
import ReactiveTrace

// A helper that subscribes for several callers, of which one forgets to end what it began.
//
//   callers-program growth     tiles are never closed, badges and menus are
//   callers-program healthy    everybody closes
//   callers-program nested     behind two helpers
//   callers-program forwarded  a helper that passes its caller's place on
//   callers-program closure    a helper that subscribes in a closure
//   callers-program dropped    one caller drops what the others keep
//   callers-program failing    one caller's jobs fail, and nobody looks
//   callers-program tasks      callers are functions that wait
//   callers-program operator   a helper that applies an operator, which is wrong for one caller
//   callers-program inner      the same inside of an operator that the helper applies, too
//   callers-program alone      one caller, and no other
//
// `callers-program many N` makes N subscriptions through the helper, for looking at it at size.

let feed = Feed()
var kept: [any Disposable] = []

/// Eight rounds, with a mark behind each.
func rounds(_ body: (Int) -> Void) {
  for round in 0..<8 {
    body(round)
    feed.numbers.send(round)
    Trace.mark("round \(round)")
  }
}

func pass(_ open: (Feed) -> any Disposable, times: Int = 1) {
  for _ in 0..<times { open(feed).dispose() }
}

@concurrent func openLater(_ feed: Feed) async -> any Disposable {
  await Task.yield()
  return Tile.open(feed)
}

@concurrent func showLater(_ feed: Feed) async -> any Disposable {
  await Task.yield()
  return Badge.show(feed)
}

switch CommandLine.arguments.dropFirst().first ?? "" {
case "growth":
  kept.append(Badge.show(feed))
  rounds { _ in
    for _ in 0..<3 { kept.append(Tile.open(feed)) }
    pass(Badge.show, times: 5)
    pass(Menu.show, times: 2)
  }
case "healthy":
  rounds { _ in
    pass(Tile.open, times: 3)
    pass(Badge.show, times: 5)
  }
case "nested":
  rounds { _ in
    for _ in 0..<3 { kept.append(Tile.follow(feed)) }
    pass(Badge.follow, times: 5)
  }
case "forwarded":
  rounds { _ in
    for _ in 0..<3 { kept.append(Tile.forward(feed)) }
    pass(Badge.forward, times: 5)
  }
case "closure":
  rounds { _ in
    for _ in 0..<3 { kept.append(Tile.watch(feed)) }
    pass(Badge.watch, times: 5)
  }
case "dropped":
  rounds { _ in
    for _ in 0..<3 { Tile.drop(feed) }
    pass(Badge.show, times: 5)
  }
case "failing":
  for _ in 0..<20 { Badge.load() }
  for _ in 0..<5 { Tile.load() }
case "tasks":
  for round in 0..<8 {
    for _ in 0..<3 { kept.append(await openLater(feed)) }
    await showLater(feed).dispose()
    Trace.mark("round \(round)")
  }
case "operator":
  let state = MutableProperty(0)
  for _ in 0..<4 { kept += [Tile.edit(feed), Badge.edit(state)] }
  for number in 1...3 {
    usleep(20_000)
    feed.numbers.send(number)
    state.value = number
  }
case "inner":
  let (state, pages) = (MutableProperty(0), MutableProperty(0))
  kept += [Tile.leaf(feed, pages.signal), Badge.leaf(state, pages.signal)]
  for number in 1...4 {
    pages.value = number
    for step in 1...3 {
      usleep(20_000)
      feed.numbers.send(number + step)
      state.value = number + step
    }
  }
case "alone":
  rounds { _ in kept.append(Tile.open(feed)) }
case "many":
  let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 100_000
  for number in 0..<count {
    kept.append(number % 100 == 0 ? Badge.show(feed) : Tile.open(feed))
    if number % (count / 8) == 0 { Trace.mark("part \(number)") }
  }
default:
  print(
    "usage: callers-program growth|healthy|nested|forwarded|closure|dropped|failing|tasks|operator|inner|alone|many N"
  )
}
// What is alive now is alive when the process ends.
Trace.stop()
withExtendedLifetime((feed, kept)) {}
