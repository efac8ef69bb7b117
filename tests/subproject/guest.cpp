#include <cstdio>
#include <sunder/base/log.h>
#include <sunder/base/random.h>
#include <sunder/version.h>

#include "base/log.h"

int main() {
    static_assert(SUNDER_VERSION_NUMBER ==
                  SUNDER_VERSION_MAJOR * 10000 + SUNDER_VERSION_MINOR * 100 + SUNDER_VERSION_PATCH);
    sunder::Random random(1);
    std::printf("%s %d %g\n", sunder::version() == SUNDER_VERSION ? "same" : "other", linesOfTheStranger(),
                random.uniform());
    return 0;
}
