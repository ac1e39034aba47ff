import Foundation
import Reactive
import ReactiveTesting

/// Functions and signals of a program that the code blocks of the articles use without declaring
/// them.
///
/// They are compiled together with the blocks and are not part of the tests.
func show<Value>(_: Value) {}
func find(_: String) -> Signal<[String], Never> { .just([]) }
func load(_: Int) -> Signal<String, LoadFailure> { .just("") }
func parse(_: String) throws(LoadFailure) -> Int { 0 }
func readFile(_: String) -> Signal<String, LoadFailure> { .just("") }

struct LoadFailure: Error {}

let numbers = Subject<Int, Never>()
let prices = Signal<Int, Never>.from([1, 2, 3])
let feed = Signal<Int, Never>.from([1, 2, 3])
let endless = Signal<Int, Never>.repeating(1)
let request = Signal<String, LoadFailure>.just("")
let texts = Subject<String, Never>()
