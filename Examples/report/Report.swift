import Dispatch
internal import Glibc
import Reactive

/// Adds up orders: queries a database and reads price lists at the same time, on separate queues.
///
///     swift run report [PRICE-LIST ...]
///
/// A price list has lines such as `apple 12`. Without an argument, three sample lists are created.
/// The first failure is reported, and everything else is cancelled.
@main
enum Report {
  static let disk = QueueScheduler(concurrent: "disk")

  static func main() {
    let given = Array(CommandLine.arguments.dropFirst())
    let samples = given.isEmpty ? SampleFiles() : nil
    let files = samples?.paths ?? given

    // These are only descriptions: nothing is queried or read before the subscription.
    let orders = Database()
      .orders { $0.count > 0 }
      .collect()
    let prices = forkJoin(files.map { PriceList.read($0).subscribe(on: disk) })
      .map { lists in lists.reduce(into: PriceList()) { $0.add($1) } }

    forkJoin(orders, prices)
      .map { orders, prices in Bill(orders, prices) }
      .deliver(on: .main)
      .finally { samples?.remove() }
      .subscribe(
        next: { bill in print(bill) },
        failed: { failure in
          let text = "report: \(failure)\n"
          write(STDERR_FILENO, text, text.utf8.count)
          exit(1)
        },
        completed: {
          print("Done processing.")
          exit(0)
        }
      )
    dispatchMain()
  }
}

/// Why no report could be made.
enum ReportFailure: Error, CustomStringConvertible {
  case unreadable(file: String, reason: String)
  case malformed(file: String, line: Int, text: String)

  var description: String {
    switch self {
    case .unreadable(let file, let reason): "'\(file)' cannot be read: \(reason)"
    case .malformed(let file, let line, let text):
      "'\(file)', line \(line): expected a name and a price, such as 'apple 12', found '\(text)'"
    }
  }
}
