#pragma once

namespace sunder::detail {
[[noreturn]] void assertionFailed(const char* condition, const char* file, int line);
}

/// Our mistake: stop here, in every build but the fastest.
#ifdef NDEBUG
#define ASSERT(condition) ((void)sizeof(!(condition)))
#else
#define ASSERT(condition) ((condition) ? (void)0 : ::sunder::detail::assertionFailed(#condition, __FILE__, __LINE__))
#endif
