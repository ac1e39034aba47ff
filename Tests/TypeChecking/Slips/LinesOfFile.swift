import Reactive

func slip(path: String) {
  _ = Signal.lines(of: path)
}
