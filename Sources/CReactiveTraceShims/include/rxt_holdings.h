#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Finds the objects that the closures of a subscription hold, by reading the memory of their contexts when the subscription is
// made.
//
// A word is treated as a reference if it points to something that the Swift runtime allocates: an object whose first word leads
// to the metadata of a class, or of a closure's captures. Weak references are not recognised; unowned ones are. All memory is
// read by asking the kernel to copy it, so that no word, whatever it contains, can make the program crash. If the kernel
// refuses, nothing is found.

// Whether to inspect a subscription that was just made at `site` (the number of a line with an operator) by the callers in
// `chain`, an asynchronous backtrace: true for the first four with the same site and chain, then ever more rarely.
bool rxt_holdings_due(uint32_t site, uint32_t chain);

// Registers three classes of the library by their metadata: `function` and `joining`, whose objects do nothing but keep a
// closure, and `bag`, the class of dispose bags. Objects of the library's other classes are not followed, because they refer to
// everything that uses them.
void rxt_holdings_know(const void *function, const void *joining, const void *bag);

// Begins the inspection of a subscription on this thread and discards earlier results. Must be called first, because it sets
// the limit on how much is read.
void rxt_holdings_begin(uint32_t subscription);

// Adds the objects that the closures in `object` hold to the results, with `site` as the place where these closures were passed
// to an operator or to `subscribe`. `object` is a signal, or the object that keeps a handler.
void rxt_holdings_add(uint32_t site, const void *object);

// The site of a closure that holds an object which refers to the owner, directly or through other objects, and the number of
// objects between the held object and the owner. The owner is the object whose end also ends the subscription. The site is 0 if
// no closure holds such an object.
typedef struct rxt_holder {
  uint32_t site;
  uint32_t between;
} rxt_holder;

// The closure that holds `owner`, if `subscription` is the one that this thread inspected last.
rxt_holder rxt_holdings_of(uint32_t subscription, const void *owner);
