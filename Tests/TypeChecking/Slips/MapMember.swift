import Reactive

func slip(names: Signal<String, Never>) {
  _ = names.map { $0.cout }
}
