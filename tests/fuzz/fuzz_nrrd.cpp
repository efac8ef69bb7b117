#include "fuzz/try_volume.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
    sunder::fuzz::tryVolume(std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
}
