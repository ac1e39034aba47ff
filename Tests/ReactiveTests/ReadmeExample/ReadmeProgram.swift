import Reactive

/// An exact copy of the program at the top of the README; a test in this folder compares them.
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
