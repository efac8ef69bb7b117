#include "fuzz/try_tets.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
    sunder::fuzz::tryTets(std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
}
