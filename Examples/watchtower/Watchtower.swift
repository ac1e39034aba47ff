import Dispatch
import Glibc
import Reactive

/// Watches a directory tree and prints alerts.
///
/// An example program to read, and to inspect with rxtop.
@main
struct Watchtower {
  static func main() {
    do throws(Options.Mistake) {
      switch try Options.parse(Array(CommandLine.arguments.dropFirst())) {
      case .help: Console.print(Options.help)
      case .run(let options): run(options)
      }
    } catch {
      Console.complain(error.message)
      Console.complain(Options.usage)
      exit(2)
    }
  }

  private static func run(_ options: Options) {
    var options = options
    while options.directory.count > 1, options.directory.hasSuffix("/") {
      options.directory.removeLast()
    }
    let tower = Tower(options)
    let end = Interrupts.signal(after: options.lifetime)
    tower.run(until: end) { outcome in
      tower.close()
      switch outcome {
      case .success(let reason):
        Console.print("watchtower: \(reason)")
        exit(0)
      case .failure(let failure):
        Console.complain("\(failure)")
        exit(1)
      }
    }
    dispatchMain()
  }
}
