#include "studio/geometry_cache.h"

#include <functional>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"
#include "io/recording/recording_format.h"
#include "scene/check.h"
#include "scene/geometry.h"
#include "scene/strength_paint.h"
#include "schema/json_text.h"

namespace sunder::studio {

namespace {

/// A mesh in memory.
size_t bytesOf(const BodyGeometry& geometry) {
    const TriMesh& mesh = geometry.mesh();
    const auto bytes = [](const auto& list) { return list.size() * sizeof(*list.begin()); };
    return sizeof(BodyGeometry) + bytes(mesh.positions) + bytes(mesh.triangles) + bytes(mesh.uvs) +
           bytes(mesh.normals) + bytes(mesh.materials) + bytes(mesh.inside);
}

/// Where a body is and how it moves is no part of its geometry.
constexpr const char* kNotGeometry[] = {"name",  "position", "rotation",  "velocity",        "angular_velocity",
                                        "kind",  "mass",     "anchor",    "asleep",          "motion",
                                        "array", "appears",  "collision", "fragment_anchor", "strength_paint"};

/// All files that are named in it, at any depth.
void addStamps(const Json& json, const ProjectMeshes& meshes, std::string& key) {
    if (json.is_array() || json.is_object()) {
        for (const auto& item : json.items()) {
            const bool file = json.is_object() && item.key() == "file" && item.value().is_string();
            const bool files = json.is_object() && item.key() == "pattern_files" && item.value().is_array();
            if (file) key += "|" + meshes.stampOf(item.value().get<std::string>());
            if (files) {
                for (const Json& one : item.value())
                    if (one.is_string()) key += "|" + meshes.stampOf(one.get<std::string>());
            }
            addStamps(item.value(), meshes, key);
        }
    }
}

}  // namespace

GeometryCache::GeometryCache(const Project& project, std::filesystem::path sceneFolder)
    : meshes_(project, std::move(sceneFolder)) {}

std::string GeometryCache::keyOf(const Json& body) const {
    Json geometry = body;
    if (geometry.is_object()) {
        for (const char* key : kNotGeometry) geometry.erase(key);
    }
    std::string key = textOf(geometry);
    addStamps(geometry, meshes_, key);
    return key;
}

const std::vector<schema::Issue>& GeometryCache::issuesOf(const scene::Scene& alone, const std::string& key) {
    const auto [entry, fresh] = issues_.try_emplace(key);
    entry->second.used = age_;
    if (fresh) {
        schema::Issues found;
        scene::checkGeometry(alone, meshes_, found);
        entry->second.value = found.list();
        entry->second.bytes = key.size();
        for (const schema::Issue& issue : found.list()) entry->second.bytes += sizeof issue + issue.message.size();
    }
    return entry->second.value;
}

void GeometryCache::checkBodies(const scene::Scene& scene, const std::vector<scene::Body>& bodies,
                                const std::string& pointer, const Json& full, schema::Issues& issues) {
    for (size_t i = 0; i < bodies.size(); ++i) {
        const std::string place = schema::below(schema::below(pointer, "bodies"), std::to_string(i));
        const Json::json_pointer at(place);
        if (!full.contains(at)) continue;
        checkPaint(bodies[i], place, full, issues);
        scene::Scene alone;
        alone.bodies = {bodies[i]};
        alone.bodies[0].strengthPaint.reset();  // every stroke of a brush is another one
        // its material comes along; how that breaks is looked at where it stands
        const scene::MaterialChoice& material = bodies[i].material;
        std::string key = keyOf(full[at]);
        if (const scene::Material* named = material.own ? nullptr : scene.materials.find(material.name)) {
            alone.materials.items.emplace_back(material.name, *named);
            alone.materials.items.back().second.fracture.reset();
            key += textOf(full[Json::json_pointer(schema::below("/materials", material.name))]);
        }
        constexpr std::string_view kAlone = "/bodies/0";
        for (schema::Issue issue : issuesOf(alone, key)) {
            issue.pointer = place + issue.pointer.substr(std::min(kAlone.size(), issue.pointer.size()));
            issues.add(std::move(issue));
        }
    }
}

void GeometryCache::checkPaint(const scene::Body& body, const std::string& pointer, const Json& full,
                               schema::Issues& issues) {
    if (!body.strengthPaint) return;
    const scene::PlacedBody placed{.name = body.name, .body = &body, .pointer = pointer};
    const ShownMesh* shown = meshOf(placed, full);
    const std::string problem = scene::paintMismatch(*body.strengthPaint, shown ? &shown->geometry->mesh() : nullptr);
    if (problem.empty()) return;
    issues.add({.pointer = schema::below(pointer, "strength_paint"),
                .message = problem,
                .found = std::to_string(body.strengthPaint->vertices),
                .allowed = "as many vertices as the mesh has"});
}

void GeometryCache::check(const scene::Scene& scene, const Json& full, schema::Issues& issues) {
    for (const auto& item : scene.materials.items) {
        scene::Scene alone;
        alone.materials.items.push_back(item);
        const Json::json_pointer at(schema::below("/materials", item.first));
        if (!full.contains(at)) continue;
        for (const schema::Issue& issue : issuesOf(alone, item.first + keyOf(full[at]))) issues.add(issue);
    }
    for (const auto& [name, group] : scene.groups.items)
        checkBodies(scene, group.bodies, schema::below("/groups", name), full, issues);
    checkBodies(scene, scene.bodies, "", full, issues);
}

const ShownMesh* GeometryCache::meshOf(const scene::PlacedBody& body, const Json& full) {
    // a scene with errors may lack what the body came from
    const Json::json_pointer at(body.pointer);
    if (!full.contains(at)) return nullptr;
    ASSERT(body.body != nullptr);
    // geometry depends on its settings and the scale, not on name or place
    const char* given = body.body->shape ? "shape" : "mesh";
    const Json settings = full[at].value(given, Json());
    std::string key = fmt::format("{} {} {} {} ", given, body.scale.x(), body.scale.y(), body.scale.z());
    key += keyOf(Json{{given, settings}});
    const auto [entry, fresh] = shown_.try_emplace(key);
    entry->second.used = age_;
    ShownMesh& shown = entry->second.value;
    // a mesh that failed is remembered as missing, so that it is not tried again at every edit
    if (fresh) {
        try {
            shown.geometry = scene::formOf(*body.body, body.scale, meshes_);
        } catch (const InputError&) {
            // check() has told
        } catch (const std::invalid_argument&) {
        }
        if (shown.geometry) shown.hash = contentHash(meshBytes(shown.geometry->mesh()));
        entry->second.bytes = key.size() + (shown.geometry ? bytesOf(*shown.geometry) : 0);
    }
    return shown.geometry ? &shown : nullptr;
}

template <class Value>
void GeometryCache::letGo(Entries<Value>& entries, uint64_t before) {
    std::erase_if(entries, [&](const auto& item) { return item.second.used < before; });
}

void GeometryCache::age(size_t mostBytes) {
    // how much was used last at each age; what the last edit used stays
    std::map<uint64_t, size_t, std::greater<>> byAge;
    const auto count = [&](const auto& entries) {
        for (const auto& [key, entry] : entries)
            if (entry.used < age_) byAge[entry.used] += entry.bytes;
    };
    count(issues_);
    count(shown_);
    // the newest are kept as long as they fit
    size_t kept = 0;
    uint64_t from = age_;
    for (const auto& [used, bytes] : byAge) {
        kept += bytes;
        if (kept > mostBytes) break;
        from = used;
    }
    letGo(issues_, from);
    letGo(shown_, from);
    ++age_;
}

size_t GeometryCache::bytes() const {
    size_t bytes = 0;
    for (const auto& [key, entry] : issues_) bytes += entry.bytes;
    for (const auto& [key, entry] : shown_) bytes += entry.bytes;
    return bytes;
}

}  // namespace sunder::studio
