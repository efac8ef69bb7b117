#include "fuzz/try_mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
    sunder::fuzz::tryMesh(std::as_bytes(std::span(data, size)), sunder::MeshFormat::Obj);
    return 0;
}
