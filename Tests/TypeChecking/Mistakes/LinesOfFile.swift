import Reactive

func mistake(path: String) {
  _ = Signal.lines(of: path)
}
