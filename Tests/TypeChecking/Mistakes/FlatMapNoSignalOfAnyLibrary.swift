// For comparison with FlatMapNoSignal: the compiler's error for a type without an unavailable overload.
struct Box<Value> {
  func flatMap<Inner>(_ transform: (Value) -> Box<Inner>) -> Box<Inner> { Box<Inner>() }
}

func mistake(box: Box<Int>, user: User) {
  _ = box.flatMap { _ in user }
}
