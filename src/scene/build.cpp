#include "scene/build.h"

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/random.h"
#include "fracture/common/strength_field.h"
#include "fracture/interface/asset_store.h"
#include "geometry/repair/diagnose.h"
#include "scene/check.h"
#include "scene/detail/records.h"
#include "scene/geometry.h"
#include "scene/limits.h"
#include "scene/rotations.h"
#include "scene/start_bodies.h"
#include "scene/strength_paint.h"
#include "schema/json_text.h"

namespace sunder::scene {

namespace {

using MethodPtr = std::shared_ptr<const fracture::FractureMethod>;

/// Calls and turns what it throws for the user's mistakes into an issue at a place of the file.
template <class Work>
void told(const std::string& pointer, Issues& issues, const Work& work, const char* allowed = "a solid") {
    const auto add = [&](const std::string& message) {
        issues.add({.pointer = pointer, .message = message, .found = {}, .allowed = allowed});
    };
    try {
        work();
    } catch (const InputError& error) {
        add(error.what());
    } catch (const std::invalid_argument& error) {
        add(error.what());
    }
}

constexpr const char* kVolumeForm = "an NRRD file of three axes, of uint8, uint16, float or double";

/// Where the geometry of a body stands in the file.
std::string geometryPointer(const Body& body, const std::string& pointer) {
    return below(pointer, body.shape ? "shape" : "mesh");
}

/// A method, and all that it was made from as text.
struct ChosenMethod {
    fracture::MethodPtr method;
    std::string settings;
};

/// Reads the meshes that a method's settings name, and tells apart what is in them.
class SolidFiles : public fracture::MethodFiles {
public:
    /// `pointer`: of the settings.
    SolidFiles(MeshSource& meshes, const std::string& pointer, Issues& issues)
        : meshes_(meshes), pointer_(pointer), issues_(issues) {}

    TriMesh solid(const std::string& file, const std::string& pointer) override {
        TriMesh mesh;
        told(pointer_ + pointer, issues_, [&] {
            mesh = meshes_.read(file);
            const Diagnosis diagnosis = diagnose(mesh);
            if (!diagnosis.solid())
                throw InputError(file,
                                 "is not a closed solid (" + describe(diagnosis) + "); mend it with sunder repair");
        });
        content_.add(mesh);
        ++count_;
        return mesh;
    }
    /// A name for all that was read; empty: nothing was.
    std::string content() const { return count_ == 0 ? "" : " with files of content " + content_.value().text(); }

private:
    MeshSource& meshes_;
    std::string pointer_;
    Issues& issues_;
    fracture::ContentHasher content_{0};
    size_t count_ = 0;
};

/// All of it as text: tells runs apart when one is resumed.
std::string textOf(const SolidMaterial& material) {
    const ElasticMaterial& elastic = material.elastic;
    const Strength& strength = material.strength;
    return fmt::format(" of {} {} {} {} {} {} {} {} {}", elastic.density, elastic.youngsModulus, elastic.poissonRatio,
                       strength.tensile, strength.extension, strength.acrossGrain, strength.energy,
                       material.breakingSpeed, material.roughness);
}

/// `of`: the material of the bodies that break by it.
ChosenMethod methodFrom(const FoundFracture& found, const Material& of, MeshSource& meshes, Issues& issues) {
    SolidFiles files(meshes, found.pointer, issues);
    ChosenMethod chosen;
    const size_t before = issues.errors();
    const std::optional<SolidMaterial> material = solidMaterialOf(of);
    told(found.pointer, issues, [&] {
        chosen.method = found.settings->make({files, material ? &*material : nullptr});
    });
    if (issues.errors() > before) return {};
    chosen.settings = found.settings->text() + files.content() + (material ? textOf(*material) : std::string());
    return chosen;
}

/// False, once told, when a body's paint is not for its mesh; null: it has none.
bool checkPaint(const Body& body, const std::string& pointer, const TriMesh* mesh, Issues& issues) {
    const std::string problem = paintMismatch(*body.strengthPaint, mesh);
    if (problem.empty()) return true;
    issues.add({.pointer = below(pointer, "strength_paint"),
                .message = problem,
                .found = std::to_string(body.strengthPaint->vertices),
                .allowed = "as many vertices as the mesh has"});
    return false;
}

/// What bodies of the same description share.
struct PaintedGeometry : FormAndShape {
    std::shared_ptr<const fracture::StrengthField> strength;
};

sim::BodyAction actionFrom(const Placing& placing) {
    std::optional<Quat> rotation;
    if (placing.rotation) rotation = quaternionOf(*placing.rotation);
    return {placing.body,
            sim::PlaceAction{placing.time, placing.position, rotation, placing.velocity, placing.angularVelocity}};
}
sim::BodyAction actionFrom(const Pushing& pushing) {
    return {pushing.body, sim::PushAction{pushing.time, pushing.impulse, pushing.point}};
}
sim::BodyAction actionFrom(const Pulling& pulling) {
    return {pulling.body, sim::PullAction{pulling.point, pulling.path}};
}

class Builder {
public:
    Builder(const Scene& scene, MeshSource& meshes, Issues& issues) : scene_(scene), meshes_(meshes), issues_(issues) {}

    /// Of use only if nothing was told.
    sim::SimulationSetup build() {
        // the world and what acts on it
        sim::SimulationSetup setup;
        setup.world = {.gravity = scene_.world.gravity, .step = scene_.world.solver};
        setup.dt = 1 / scene_.world.frameRate;
        setup.seed = scene_.world.seed;
        setup.fields = scene_.fields;
        for (const Blast& blast : scene_.explosions) setup.explosions.push_back({blast.time, blast.explosion});
        for (const Action& action : scene_.actions)
            setup.actions.push_back(std::visit([](const auto& one) { return actionFrom(one); }, action));
        setup.bodyBudget = static_cast<size_t>(scene_.limits.maxBodies);
        setup.reprocessRounds = scene_.limits.reprocessRounds;

        // bodies in the order of the file, which is the order of their serials; layers are numbered first
        const std::vector<StartBody> all = startBodies(scene_);
        nameLayers(all);
        for (const StartBody& start : all) {
            if (start.placed.body == nullptr) {
                setup.bodies.push_back(floorBody(start));
            } else if (const PaintedGeometry* geometry = geometryFor(start.placed)) {
                setup.bodies.push_back(bodyFor(start, *geometry));
            }
        }
        return setup;
    }

private:
    /// A layer of its own, which no body can name and so none ignores.
    static constexpr uint32_t kFloorLayer = 1u << kMaxLayers;
    static_assert(kFloorLayer != 0);

    /// What every body has, whatever its form.
    static sim::BodySetup commonSetup(const StartBody& start) {
        sim::BodySetup setup;
        setup.name = start.placed.name;
        setup.source = start.placed.pointer;
        setup.material = start.materialKey;
        setup.appears = start.appears();
        setup.options.pose = start.pose;
        setup.options.kind = start.kind;
        setup.options.density = start.material->density;
        setup.options.material = start.material->contact;
        return setup;
    }

    static sim::BodySetup floorBody(const StartBody& start) {
        sim::BodySetup floor = commonSetup(start);
        floor.options.shape = dynamics::makeHalfSpace();
        floor.options.group = kFloorLayer;
        return floor;
    }

    /// Members of arrays and instances share what they are made from; null, once told, when it cannot be had.
    const PaintedGeometry* geometryFor(const PlacedBody& placed) {
        const auto key = std::make_pair(placed.body, placed.scale.x());
        const bool fresh = !geometries_.contains(key);
        PaintedGeometry& geometry = geometries_[key];
        if (fresh) {
            told(geometryPointer(*placed.body, placed.pointer), issues_, [&] {
                FormAndShape made = geometryOf(*placed.body, placed.scale, meshes_, scene_.world.seed);
                checkSize(*made.shape);
                static_cast<FormAndShape&>(geometry) = std::move(made);
            });
            if (geometry.shape) geometry.strength = strengthOf(placed, geometry.geometry);
        }
        return geometry.shape ? &geometry : nullptr;
    }

    static void checkSize(const dynamics::Shape& shape) {
        if (shape.kind() == dynamics::ShapeKind::HalfSpace || 2 * shape.radius() >= kSmallestBody) return;
        throw InputError("size", fmt::format("is {:.3g} m across; what is smaller than {:g} m cannot be simulated. Is "
                                             "its unit or scale right?",
                                             2 * shape.radius(), kSmallestBody));
    }

    /// Null when it is the same everywhere, or, once told, when what is given does not fit. A body is painted as it is
    /// described; instances of it may be stretched.
    std::shared_ptr<const fracture::StrengthField> strengthOf(const PlacedBody& placed, GeometryPtr form) {
        const Body& body = *placed.body;
        if (!body.strengthPaint && !body.strengthVolume) return nullptr;
        if (placed.scale != Vec3::Ones()) form = formOf(body, Vec3::Ones(), meshes_);
        const TriMesh* mesh = form ? &form->mesh() : nullptr;
        std::optional<fracture::PaintedStrength> paint;
        std::optional<fracture::StrengthVolume> volume;
        if (body.strengthPaint) {
            told(below(placed.pointer, "strength_paint"), issues_, [&] { paint = paintOn(mesh, placed); });
        }
        if (body.strengthVolume && mesh) {
            told(
                below(placed.pointer, "strength_volume"), issues_, [&] { volume = volumeIn(*mesh, placed); },
                kVolumeForm);
        }
        if (!paint && !volume) return nullptr;
        return std::make_shared<const fracture::StrengthField>(std::move(paint), std::move(volume));
    }

    /// `mesh` is not stretched.
    std::optional<fracture::PaintedStrength> paintOn(const TriMesh* mesh, const PlacedBody& placed) {
        const StrengthPaint& paint = *placed.body->strengthPaint;
        if (!checkPaint(*placed.body, placed.pointer, mesh, issues_)) return {};
        PaintValues values = paintValues(paint);
        if (values.percent.empty()) return {};  // told when the scene was read
        TriMesh painted = paintedMesh(paint, *mesh).value();
        for (Vec3& p : painted.positions) p = p.cwiseProduct(placed.scale);
        ASSERT(values.percent.size() == painted.vertexCount());
        return fracture::PaintedStrength(painted, std::move(values.percent));
    }
    fracture::StrengthVolume volumeIn(const TriMesh& mesh, const PlacedBody& placed) {
        const std::string& file = placed.body->strengthVolume->file;
        std::shared_ptr<const fracture::VolumeTexture>& texture = volumes_[file];
        if (texture == nullptr) texture = std::make_shared<const fracture::VolumeTexture>(meshes_.readVolume(file));
        fracture::LatticePlacement lattice = texture->placementIn(boundsOf(mesh));
        lattice.origin = lattice.origin.cwiseProduct(placed.scale);
        lattice.steps = placed.scale.asDiagonal() * lattice.steps;
        return {texture, lattice};
    }

    /// One method for all bodies of the same settings. Settings stand in a body or in a material, so they come with one
    /// material.
    const ChosenMethod& methodOf(const StartBody& start) {
        const FoundFracture& found = start.fracture;
        const bool fresh = !methods_.contains(found.settings);
        ChosenMethod& chosen = methods_[found.settings];
        if (fresh && found.settings != nullptr) chosen = methodFrom(found, *start.material, meshes_, issues_);
        return chosen;
    }

    /// Those of bodies that are there from the start come first: what comes late does not change their bits.
    void nameLayers(const std::vector<StartBody>& all) {
        for (const bool late : {false, true}) {
            for (const StartBody& start : all) {
                if (start.placed.body == nullptr || (start.appears() > 0) != late) continue;
                const CollisionSettings& collision = start.placed.body->collision;
                layerBit(collision.layer);
                for (const std::string& layer : collision.ignores) layerBit(layer);
            }
        }
    }
    /// A bit per layer, in the order they are named.
    uint32_t layerBit(const std::string& layer) {
        const auto [entry, fresh] = layers_.try_emplace(layer, static_cast<uint32_t>(layers_.size()));
        ASSERT(entry->second < kMaxLayers);
        return 1u << entry->second;
    }

    sim::BodySetup bodyFor(const StartBody& start, const PaintedGeometry& geometry) {
        ASSERT(start.placed.body != nullptr && geometry.shape != nullptr);
        // what breaking needs to know
        const Body& body = *start.placed.body;
        sim::BodySetup setup = commonSetup(start);
        setup.geometry = geometry.geometry;
        setup.strength = geometry.strength;
        if (geometry.geometry) {
            const ChosenMethod& chosen = methodOf(start);
            setup.method = chosen.method;
            setup.methodSettings = chosen.settings;
        }
        setup.fragmentAnchor = body.fragmentAnchor;

        // what moving needs to know
        dynamics::BodyOptions& options = setup.options;
        options.shape = geometry.shape;
        if (body.kind == dynamics::BodyKind::Dynamic) {
            options.velocity = start.placed.velocity;
            options.angularVelocity = start.placed.angularVelocity;
        }
        options.motion = start.motion;
        options.mass = body.mass;
        options.group = layerBit(body.collision.layer);
        for (const std::string& layer : body.collision.ignores) options.collidesWith &= ~layerBit(layer);
        options.anchor = body.anchor;
        options.asleep = body.asleep;
        return setup;
    }

    const Scene& scene_;
    MeshSource& meshes_;
    Issues& issues_;
    // only looked up, never walked through: addresses decide nothing
    std::map<std::pair<const Body*, double>, PaintedGeometry> geometries_;
    std::map<const fracture::MethodSettings*, ChosenMethod> methods_;
    std::map<std::string, std::shared_ptr<const fracture::VolumeTexture>> volumes_;  // by file
    std::map<std::string, uint32_t> layers_;
};

}  // namespace

sim::SimulationSetup buildSetup(const Scene& scene, MeshSource& meshes, const std::string& file) {
    Issues issues(file);
    sim::SimulationSetup setup = Builder(scene, meshes, issues).build();
    issues.throwIfFailed();  // all mistakes together, not only the first
    return setup;
}

namespace {

/// A body moves by the density of its material. Settings that name a material of their own bring another one, by which
/// the method goes: a scene should say it once.
void checkDensity(const fracture::FractureMethod& method, const Material& material, const std::string& pointer,
                  Issues& issues) {
    constexpr double kScatter = 0.05;  // of handbooks' densities of one material
    const double theirs = method.density().value_or(material.density);
    if (std::abs(theirs - material.density) <= kScatter * material.density) return;
    issues.add({.pointer = pointer,
                .message = fmt::format("bodies move with the {:g} kg/m^3 of their material, but {} goes by the {:g} "
                                       "kg/m^3 of another one; give the material that one as its \"base\", or set "
                                       "its density",
                                       material.density, method.name(), theirs),
                .found = fmt::format("{:g} and {:g} kg/m^3", material.density, theirs),
                .allowed = "one density",
                .severity = Issue::Severity::Warning});
}

/// Makes the method, as a run would: what its settings cannot show by themselves.
void checkMethod(const std::optional<fracture::MethodSettings>& settings, const Material& of,
                 const std::string& pointer, MeshSource& meshes, Issues& issues) {
    if (!settings) return;
    const std::string place = below(pointer, "fracture");
    const ChosenMethod chosen = methodFrom({&*settings, place}, of, meshes, issues);
    if (chosen.method != nullptr) checkDensity(*chosen.method, of, place, issues);
}

/// `material`: what it is made of.
void checkBody(Body body, const Material& material, const std::string& pointer, MeshSource& meshes, Issues& issues) {
    checkMethod(body.fracture, material, pointer, meshes, issues);
    if (body.material.own)
        checkMethod(body.material.own->fracture, *body.material.own, below(pointer, "material"), meshes, issues);
    if (body.strengthVolume && !body.strengthVolume->file.empty()) {
        told(
            below(pointer, "strength_volume"), issues, [&] { (void)meshes.readVolume(body.strengthVolume->file); },
            kVolumeForm);
    }
    // what could not even be read has been told already
    const bool given = body.shape ? !body.shape->name.empty() : body.mesh && !body.mesh->file.empty();
    if (!given) return;
    // quick: what does not go together shows at any resolution, but for paint
    if (body.shape && !body.strengthPaint) body.shape->resolution = 8;
    told(geometryPointer(body, pointer), issues, [&] {
        const GeometryPtr form = formOf(body, Vec3::Ones(), meshes);
        if (body.strengthPaint) checkPaint(body, pointer, form ? &form->mesh() : nullptr, issues);
    });
}

}  // namespace

void checkGeometry(const Scene& scene, MeshSource& meshes, Issues& issues) {
    const auto checkAll = [&](const std::vector<Body>& bodies, const std::string& pointer) {
        for (size_t i = 0; i < bodies.size(); ++i)
            checkBody(bodies[i], materialOf(scene, bodies[i].material),
                      below(below(pointer, "bodies"), std::to_string(i)), meshes, issues);
    };
    for (const auto& [name, material] : scene.materials.items)
        checkMethod(material.fracture, material, below("/materials", name), meshes, issues);
    for (const auto& [name, group] : scene.groups.items) checkAll(group.bodies, below("/groups", name));
    checkAll(scene.bodies, "");
}

void checkBuild(const Scene& scene, MeshSource& meshes, Issues& issues) {
    if (!issues.failed()) (void)Builder(scene, meshes, issues).build();
}

}  // namespace sunder::scene
