import Foundation
import GraphLayout

/// The number that follows an option on the command line.
func option(_ name: String, default value: Int) -> Int {
  let arguments = CommandLine.arguments
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
    return value
  }
  return Int(arguments[index + 1]) ?? value
}

let seed = UInt64(option("--seed", default: 1))
switch CommandLine.arguments.dropFirst().first {
case "compare": try compare(seed: seed, count: option("--count", default: 200))
case "stability": stability(seed: seed, count: option("--count", default: 20))
case "real": try compareReal()
case "draw": draw(option("--number", default: 0))
case "time": time(seed: seed)
default: print("usage: layout-bench compare|real|stability|time|draw [--seed N] [--count N]")
}
