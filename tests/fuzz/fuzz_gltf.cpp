#include "fuzz/try_mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const bool binary = size >= 4 && data[0] == 'g' && data[1] == 'l' && data[2] == 'T' && data[3] == 'F';
    sunder::fuzz::tryMesh(bytes, binary ? sunder::MeshFormat::Glb : sunder::MeshFormat::Gltf);
    return 0;
}
