import Reactive

/// The program on the README's first screen, letter by letter; the test beside this file compares.
func runReadmeProgram() {
  #sourceLocation(file:"main.swift",line:3)
  let search = Subject<String, Never>("search")

  search.signal
    .distinctUntilChanged()
    .filter { $0.count > 2 }
    .map { "results for \($0)" }
    .logAll()
    .subscribe { print($0) }

  for text in ["s", "sw", "swi", "swi", "swift"] { search.send(text) }
  search.complete()
  #sourceLocation()
}
