import Reactive

/// The purse of a traveller: what is spent can be entered in euros or in crowns, the other field follows, and what belongs
/// to them is worked out of it.
///
/// Rebuilt from ReactiveCocoa/ReactiveCocoa#3365. One value set another in its observer, which set the first one again,
/// each a little later so that nothing locks up; there was a case in which this did not come to an end.
extension Real {
  static let journey = Report("journey", "an amount changes by itself") { version in
    let purse = Purse(version)
    await pause(300)
    purse.tip.value = 12
    purse.miles.value = 30
    await pause(300)
    purse.euros.value = 90
    await pause(1000)
    purse.notes.send("dinner")
    purse.room.value = 70
    purse.miles.value = 55
    await pause(1000)
    purse.tip.value = 15
    purse.notes.send("room")
    await pause(400)
    print("entered were 90 euros, the field shows \(purse.euros.value)")
    return purse
  }
}

private final class Purse: Sendable {
  let euros = MutableProperty(0, "euros")
  let crowns = MutableProperty(0, "crowns")
  let tip = MutableProperty(10, "tip")
  let room = MutableProperty(60, "room")
  let miles = MutableProperty(0, "miles")
  /// What is written into the diary, with what there is to pay.
  let notes = Subject<String, Never>("notes")
  private let kilometers = MutableProperty(0, "kilometers")
  private let roomInCrowns = MutableProperty(0, "room in crowns")
  private let toPay = MutableProperty(0, "to pay")
  private let diary = MutableProperty<[String]>([], "diary")
  private let drawn = Counter()
  private let bag = DisposableBag()

  init(_ version: Version) {
    if version == .fixed {
      crowns.bindTwoWay(to: euros, from: Self.inCrowns, to: Self.inEuros).store(in: bag)
    } else {
      set(crowns, to: euros.signal.map(Self.inCrowns))  // blame, too
      set(euros, to: crowns.signal.map(Self.inEuros))  // blame
    }
    set(roomInCrowns, to: room.signal.map(Self.inCrowns))
    set(toPay, to: combineLatest(euros.signal, tip.signal) { $0 + $0 * $1 / 100 })
    kilometers.bindTwoWay(to: miles, from: { $0 * 1609 / 1000 }, to: { $0 * 1000 / 1609 })
      .store(in: bag)

    notes.signal.withLatest(from: toPay.signal)
      .subscribe { [diary] note, sum in diary.modify { $0.append("\(note): \(sum)") } }
      .store(in: bag)

    draw(euros.signal)
    draw(crowns.signal)
    draw(toPay.signal.distinctUntilChanged())
    draw(kilometers.signal)
    draw(diary.signal.map(\.count))
    draw(roomInCrowns.signal)
    draw(Signal.interval(.milliseconds(350), on: .main))
  }

  private static func inCrowns(_ euros: Int) -> Int { euros * 746 / 100 }

  private static func inEuros(_ crowns: Int) -> Int { crowns * 100 / 746 }

  /// Lets a field follow, a little later than one types.
  private func set(_ field: MutableProperty<Int>, to values: Signal<Int, Never>) {
    values.skip(1)
      .debounce(.milliseconds(25), on: .main)
      .subscribe { [weak field] in field?.value = $0 }
      .store(in: bag)
  }

  private func draw(_ values: Signal<Int, Never>) {
    values.deliver(on: .main).subscribe { [drawn] _ in drawn.add() }.store(in: bag)
  }
}
