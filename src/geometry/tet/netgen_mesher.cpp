#include "geometry/tet/netgen_mesher.h"

#ifndef SUNDER_NETGEN

namespace sunder {

bool netgenAvailable() { return false; }

NetgenResult meshWithNetgen(const TriMesh&, const NetgenOptions&) {
    return {{}, "NETGEN is not compiled in: install libnglib-dev, then configure and build again"};
}

}  // namespace sunder

#else

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iostream>
#include <mutex>
#include <streambuf>

#include "base/assert.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/tet/validate.h"

namespace nglib {
#include <nglib.h>
}

namespace sunder {

namespace {

class NullBuffer : public std::streambuf {
    int overflow(int c) override { return c == EOF ? 0 : c; }
};

/// Drops what is printed while it lives.
class Silence {
public:
    Silence() : out_(std::cout.rdbuf(&null_)), err_(std::cerr.rdbuf(&null_)) {}
    ~Silence() {
        std::cout.rdbuf(out_);
        std::cerr.rdbuf(err_);
    }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

private:
    NullBuffer null_;
    std::streambuf* out_;
    std::streambuf* err_;
};

class NetgenMesh {
public:
    NetgenMesh() : mesh_(nglib::Ng_NewMesh()) {}
    ~NetgenMesh() { nglib::Ng_DeleteMesh(mesh_); }
    NetgenMesh(const NetgenMesh&) = delete;
    NetgenMesh& operator=(const NetgenMesh&) = delete;
    nglib::Ng_Mesh* get() const { return mesh_; }

private:
    nglib::Ng_Mesh* mesh_;
};

/// NETGEN has absolute tolerances: everything is brought to about unit size, by a power of two so that no digit of the
/// surface changes.
double toUnitSize(const TriMesh& surface) {
    int exponent = 0;
    std::frexp(boundsOf(surface).size().maxCoeff(), &exponent);
    return std::ldexp(1.0, -exponent);
}

void addSurface(const NetgenMesh& netgen, const TriMesh& surface, double scale) {
    for (const Vec3& position : surface.positions) {
        const Vec3 x = scale * position;
        std::array<double, 3> point{x.x(), x.y(), x.z()};
        nglib::Ng_AddPoint(netgen.get(), point.data());
    }
    for (const Triangle& triangle : surface.triangles) {
        std::array<int, 3> corners;
        for (size_t i = 0; i < 3; ++i) corners[i] = static_cast<int>(raw(triangle[i])) + 1;
        nglib::Ng_AddSurfaceElement(netgen.get(), nglib::NG_TRIG, corners.data());
    }
}

TetMesh takeTets(const NetgenMesh& netgen, const TriMesh& surface, double scale) {
    // the surface's vertices keep their places bit for bit; NETGEN's own nodes come behind
    TetMesh mesh;
    mesh.nodes = IndexedVector<NodeIndex, Vec3>(surface.positions.items());
    const int points = nglib::Ng_GetNP(netgen.get());
    for (int i = static_cast<int>(surface.vertexCount()) + 1; i <= points; ++i) {
        std::array<double, 3> x;
        nglib::Ng_GetPoint(netgen.get(), i, x.data());
        mesh.nodes.push_back(Vec3(x[0], x[1], x[2]) / scale);
    }
    ASSERT(points >= static_cast<int>(surface.vertexCount()));
    // corners count from 1
    const int elements = nglib::Ng_GetNE(netgen.get());
    for (int i = 1; i <= elements; ++i) {
        std::array<int, NG_VOLUME_ELEMENT_MAXPOINTS> corners{};
        nglib::Ng_GetVolumeElement(netgen.get(), i, corners.data());
        Tet tet;
        for (size_t c = 0; c < 4; ++c) tet[c] = static_cast<NodeIndex>(corners[c] - 1);
        std::swap(tet[2], tet[3]);  // NETGEN's tets turn the other way
        mesh.tets.push_back(tet);
    }
    return mesh;
}

std::string whyNot(const TriMesh& surface) {
    if (surface.empty()) return "the surface has no triangles";
    if (!isClosedManifold(surface)) return "the surface is not a closed manifold: repair it first";
    if (!(volume(surface) > 0)) return "the surface turns inward: flip it first";
    return {};
}

/// The boundary must be the surface: as many triangles, the same volume.
std::string whatIsWrong(const TetMesh& mesh, const TriMesh& surface) {
    if (mesh.tets.empty()) return "NETGEN made no tets";
    if (!(qualityOf(mesh).minVolume > 0)) return "NETGEN made an inverted or flat tet";
    if (boundaryOf(mesh).surface.triangleCount() != surface.triangleCount()) {
        return "NETGEN did not keep the surface; does it intersect itself?";
    }
    return {};
}

NetgenResult run(const TriMesh& surface, const NetgenOptions& options) {
    // in a size that its absolute tolerances suit
    const double scale = toUnitSize(surface);
    const NetgenMesh netgen;
    addSurface(netgen, surface, scale);

    nglib::Ng_Meshing_Parameters parameters;
    parameters.maxh = options.maxEdge > 0 ? options.maxEdge * scale : 1e6;
    parameters.grading = options.grading;
    parameters.optsteps_3d = options.optimiseSteps;
    parameters.optvolmeshenable = options.optimiseSteps > 0;
    // its answer is looked at: what it calls a success may have holes
    const nglib::Ng_Result status = nglib::Ng_GenerateVolumeMesh(netgen.get(), &parameters);
    if (status != nglib::NG_OK) {
        return {{},
                "NETGEN could not fill the surface (code " + std::to_string(status) + "); does it intersect itself?"};
    }
    NetgenResult result{takeTets(netgen, surface, scale), {}};
    result.reason = whatIsWrong(result.mesh, surface);
    if (!result.ok()) result.mesh = {};
    ASSERT(problemWith(result.mesh).empty());
    return result;
}

}  // namespace

bool netgenAvailable() { return true; }

NetgenResult meshWithNetgen(const TriMesh& surface, const NetgenOptions& options) {
    if (std::string reason = whyNot(surface); !reason.empty()) return {{}, std::move(reason)};
    static std::mutex oneAtATime;
    const std::lock_guard lock(oneAtATime);
    const Silence silence;
    static const bool initialised = [] {
        nglib::Ng_Init();
        return true;
    }();
    (void)initialised;
    try {
        return run(surface, options);
    } catch (const std::exception& error) {
        return {{}, std::string("NETGEN gave up: ") + error.what()};
    } catch (...) {
        return {{}, "NETGEN gave up without saying why"};
    }
}

}  // namespace sunder

#endif
