import Glibc
import Reactive
import ReactiveTrace

// A helper subscribes for several callers (tiles, badges and menus), one of which forgets to end
// its subscriptions.
//
//   callers-program growth     tiles are never closed, but badges and menus are
//   callers-program healthy    all callers close what they have opened
//   callers-program nested     the callers go through two helpers
//   callers-program forwarded  the helper passes on the source location of its caller
//   callers-program closure    the helper subscribes in a closure
//   callers-program dropped    one caller drops the disposables that the others keep
//   callers-program failing    the jobs of one caller fail, and nothing handles that
//   callers-program tasks      the callers are asynchronous functions
//   callers-program operator   the helper applies an operator that is wrong for one caller
//   callers-program inner      the same, inside another operator that the helper applies
//   callers-program alone      there is only one caller
//
// `callers-program many N` makes N subscriptions through the helper, for a large recording.

let feed = Feed()
var kept: [any Disposable] = []

/// Runs eight rounds, and sets a mark after each.
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
// Subscriptions that are alive now count as alive at the end of the process.
Trace.stop()
withExtendedLifetime((feed, kept)) {}
