#include "CReactiveNIO.h"

__attribute__((constructor)) static void is_loaded(void) { reactive_nio_is_loaded(); }
