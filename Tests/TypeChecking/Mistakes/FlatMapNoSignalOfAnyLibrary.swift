// For comparison with `FlatMapNoSignal`: the compiler's error if no overload is marked unavailable.
struct Box<Value> {
  func flatMap<Inner>(_ transform: (Value) -> Box<Inner>) -> Box<Inner> { Box<Inner>() }
}

func mistake(box: Box<Int>, user: User) {
  _ = box.flatMap { _ in user }
}
