import Reactive

/// A traveller's purse: expenses can be entered in euros or in crowns, the other field follows, and
/// the sum to pay is computed.
///
/// Rebuilt from ReactiveCocoa/ReactiveCocoa#3365. The observer of one value set another, whose
/// observer set the first again, both with a delay to avoid a deadlock; one such loop never ended.
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
  /// Notes for the diary, each of which is written down with the sum to pay.
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

  /// Sets a field from values, once the user has stopped typing.
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
