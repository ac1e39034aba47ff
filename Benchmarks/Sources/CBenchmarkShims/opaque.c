#include "CBenchmarkShims.h"

static volatile long zero = 0;

long rxb_opaque(long value) { return value + zero; }
