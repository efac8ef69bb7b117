// Loaded before the C library (LD_PRELOAD), it lets a program's nth write to a file go wrong, to test what is left of
// the file:
//
//     SUNDER_FAIL_WRITE=n        which; counted from 1 over pwrite and ftruncate, as SQLite calls them
//     SUNDER_FAIL_HOW=kill       half of it is written, then the program is killed, as by kill -9
//     SUNDER_FAIL_HOW=full       it and all later ones find the disk full
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace {

enum class Fate { Succeed, Die, Refuse };

Fate nextFate() {
    static std::atomic<long> written{0};
    static const char* const which = std::getenv("SUNDER_FAIL_WRITE");
    static const char* const how = std::getenv("SUNDER_FAIL_HOW");
    if (which == nullptr || how == nullptr) return Fate::Succeed;
    if (++written < std::atol(which)) return Fate::Succeed;
    return std::strcmp(how, "kill") == 0 ? Fate::Die : Fate::Refuse;
}

template <class Function>
Function original(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// Lets `write` happen, or the program end after `before`, or the disk be full.
template <class Before, class Write>
auto meetFate(const Before& before, const Write& write) -> decltype(write()) {
    switch (nextFate()) {
        case Fate::Die:
            before();
            std::raise(SIGKILL);
            break;
        case Fate::Refuse:
            errno = ENOSPC;
            return -1;
        case Fate::Succeed:
            break;
    }
    return write();
}

}  // namespace

extern "C" ssize_t pwrite64(int file, const void* data, size_t size, off64_t offset) {
    static const auto really = original<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
    return meetFate([&] { really(file, data, size / 2, offset); }, [&] { return really(file, data, size, offset); });
}

extern "C" int ftruncate64(int file, off64_t size) {
    static const auto really = original<int (*)(int, off64_t)>("ftruncate64");
    return meetFate([] {}, [&] { return really(file, size); });
}
