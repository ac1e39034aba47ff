import Dispatch
import Reactive

/// A shop that crashes: an order is read on one queue, accepted on another, and served in a task.
///
/// The order asks for an item that the price list does not have.
/// `Documentation/Backtraces.md` shows what three tools say about the crash.
@main
enum Shop {
  static let door = DispatchQueue(label: "door")
  static let desk = DispatchQueue(label: "desk")
  static let prices = [120, 350, 80]

  static func main() {
    receive("Ann 2 3")
    DispatchSemaphore(value: 0).wait()
  }

  static func receive(_ line: String) {
    door.async { read(line) }
  }

  static func read(_ line: String) {
    let words = line.split(separator: " ")
    let order = Order(customer: String(words[0]), items: words.dropFirst().compactMap { Int($0) })
    desk.async { accept(order) }
  }

  static func accept(_ order: Order) {
    Task { await serve(order) }
  }

  static func serve(_ order: Order) async {
    let total = await bill(order)
    print("\(order.customer): \(total)")
  }

  static func bill(_ order: Order) async -> Int {
    var total = 0
    let prices = Signal<Int, Never>.from(order.items).map { price(of: $0) }
    for await price in prices.values { total += price }
    return total
  }

  static func price(of item: Int) -> Int {
    prices[item]
  }
}

struct Order: Sendable {
  let customer: String
  let items: [Int]
}
