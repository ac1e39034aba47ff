import Reactive

func mistake(names: Signal<String, Never>) {
  _ = names.map { $0.cout }
}
