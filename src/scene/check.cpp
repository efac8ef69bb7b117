#include "scene/check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/suggest.h"
#include "material/catalogue.h"
#include "scene/expand.h"
#include "scene/limits.h"
#include "schema/json_text.h"

namespace sunder::scene {

using namespace schema;

double memberCount(const Array& array) {
    const double columns = array.count[0], rows = array.count[1], layers = array.count[2];
    const double extra = array.halfEnds ? std::floor(rows / 2) : 0;  // one more in every second row
    const double all = (columns * rows + extra) * layers;
    return array.limit > 0 ? std::min<double>(all, array.limit) : all;
}

namespace {

double members(const std::optional<Array>& array) { return array ? memberCount(*array) : 1; }

/// How much there is once arrays and instances are written out. Groups must not hold themselves.
class Census {
public:
    struct Count {
        double bodies = 0;
        double placed = 0;  // bodies and groups: an empty group takes time, too
    };

    explicit Census(const Scene& scene) : scene_(scene) {}

    Count all() { return in(scene_.bodies, scene_.instances); }
    Count of(const Instance& instance) {
        const Group* group = scene_.groups.find(instance.group);
        if (group == nullptr) return {};
        // each group once, however often it is placed
        if (!known_.contains(instance.group)) known_[instance.group] = in(group->bodies, group->instances);
        const Count& one = known_[instance.group];
        const double times = members(instance.array);
        return {times * one.bodies, times * (1 + one.placed)};
    }

private:
    Count in(const std::vector<Body>& bodies, const std::vector<Instance>& instances) {
        Count count;
        for (const Body& body : bodies) count.bodies += members(body.array);
        count.placed = count.bodies;
        for (const Instance& instance : instances) {
            const Count more = of(instance);
            count = {count.bodies + more.bodies, count.placed + more.placed};
        }
        return count;
    }

    const Scene& scene_;
    std::map<std::string, Count> known_;  // by group
};

class Checker {
public:
    Checker(const Scene& scene, Issues& issues) : scene_(scene), issues_(issues) {}

    void run() {
        for (const auto& [name, group] : scene_.groups.items) checkMembers(group, below("/groups", name));
        const bool sound = checkCycles();
        if (scene_.floor.present) checkMaterial(scene_.floor.material, "/floor");
        checkMembers({scene_.bodies, scene_.instances}, "");
        checkLayers();
        if (sound && !issues_.failed()) checkCount();
        if (sound && !issues_.failed()) checkActions();
    }

private:
    void add(const std::string& pointer, const std::string& message, const std::string& found,
             const std::string& allowed, Issue::Severity severity = Issue::Severity::Error) {
        issues_.add({pointer, message, found, allowed, severity});
    }

    void checkMaterial(const MaterialChoice& material, const std::string& pointer) {
        if (material.name.empty() || scene_.materials.find(material.name) != nullptr) return;
        if (readyMaterial(material.name) != nullptr) return;
        std::vector<std::string> known = scene_.materials.names();
        for (const std::string& name : materialNames()) known.push_back(name);
        add(below(pointer, "material"),
            "there is no material " + shown(material.name) + suggestion(material.name, known), shown(material.name),
            "the name of one of the scene's materials, or of a ready one");
    }

    void checkMembers(const Group& group, const std::string& pointer) {
        // names are unique among siblings; the floor has a name, too
        std::set<std::string> names;
        if (pointer.empty() && scene_.floor.present) names.insert("floor");
        const auto checkName = [&](const std::string& name, const std::string& at) {
            if (name.empty() || names.insert(name).second) return;
            add(below(at, "name"), "another one is called " + shown(name) + " too; give it a name of its own",
                shown(name), "a name that its siblings do not have");
        };
        // bodies: their names and materials
        for (size_t i = 0; i < group.bodies.size(); ++i) {
            const std::string at = below(below(pointer, "bodies"), std::to_string(i));
            checkName(group.bodies[i].name, at);
            checkMaterial(group.bodies[i].material, at);
        }
        // instances: their names and the groups they place
        for (size_t i = 0; i < group.instances.size(); ++i) {
            const std::string at = below(below(pointer, "instances"), std::to_string(i));
            const std::string& wanted = group.instances[i].group;
            checkName(group.instances[i].name, at);
            if (wanted.empty() || scene_.groups.find(wanted) != nullptr) continue;
            add(below(at, "group"), "there is no group " + shown(wanted) + suggestion(wanted, scene_.groups.names()),
                shown(wanted), "the name of one of the scene's groups");
        }
    }

    /// Depth-first over the groups; a group met while it is open holds itself.
    bool checkCycles() {
        std::map<std::string, int> state;  // 1: open, 2: done
        bool sound = true;
        for (const auto& item : scene_.groups.items) sound = visit(item.first, state, 0) && sound;
        return sound;
    }
    bool visit(const std::string& name, std::map<std::string, int>& state, size_t depth) {
        // depth first: 1 is on the way here, 2 was seen to be sound or told about
        const Group* group = scene_.groups.find(name);
        if (group == nullptr || state[name] == 2) return true;
        ASSERT(state[name] == 0);
        state[name] = 1;
        bool sound = true;
        for (size_t i = 0; i < group->instances.size(); ++i) {
            const std::string& inner = group->instances[i].group;
            const std::string at = below(below(below("/groups", name), "instances"), std::to_string(i));
            // a group on the way to itself would never end
            if (state[inner] == 1 || depth >= kMaxDepth) {
                add(below(at, "group"),
                    state[inner] == 1 ? "the group " + shown(inner) +
                                            " would hold itself; remove this instance or one on the way to it"
                                      : fmt::format("groups are nested more than {} deep", kMaxDepth),
                    shown(inner), "a group that does not hold this one");
                sound = false;
            } else {
                sound = visit(inner, state, depth + 1) && sound;
            }
        }
        state[name] = 2;
        return sound;
    }

    void checkLayers() {
        // the layers that bodies are in
        std::set<std::string> layers;
        const auto collect = [&](const std::vector<Body>& bodies) {
            for (const Body& body : bodies) layers.insert(body.collision.layer);
        };
        for (const auto& item : scene_.groups.items) collect(item.second.bodies);
        collect(scene_.bodies);
        std::set<std::string> named = layers;  // also those that nobody is in take a bit
        // to ignore an empty layer is no error, but most likely a slip
        const auto checkIgnored = [&](const std::vector<Body>& bodies, const std::string& pointer) {
            for (size_t i = 0; i < bodies.size(); ++i) {
                const std::vector<std::string>& ignored = bodies[i].collision.ignores;
                for (size_t k = 0; k < ignored.size(); ++k) {
                    named.insert(ignored[k]);
                    if (layers.contains(ignored[k])) continue;
                    const std::string body = below(below(pointer, "bodies"), std::to_string(i));
                    add(below(below(below(body, "collision"), "ignores"), std::to_string(k)),
                        "no body is in the layer " + shown(ignored[k]) +
                            suggestion(ignored[k], std::vector<std::string>(layers.begin(), layers.end())),
                        shown(ignored[k]), "the layer of a body", Issue::Severity::Warning);
                }
            }
        };
        for (const auto& [name, group] : scene_.groups.items) checkIgnored(group.bodies, below("/groups", name));
        checkIgnored(scene_.bodies, "");
        // each layer is a bit
        if (named.size() > kMaxLayers) {
            add("", fmt::format("there are {} collision layers; at most {} are allowed", named.size(), kMaxLayers),
                std::to_string(named.size()), fmt::format("at most {} layers", kMaxLayers));
        }
    }

    void checkCount() {
        const double count = bodyCount(scene_), placed = Census(scene_).all().placed;
        if (placed > kMaxMembers) {
            const auto [pointer, most] = largestMember();
            add(pointer,
                fmt::format("arrays and instances place {:.4g} bodies and groups, {:.4g} of them here; at most {:.0f} "
                            "are allowed",
                            placed, most, kMaxMembers),
                fmt::format("{:.4g}", most), fmt::format("at most {:.0f} bodies and groups", kMaxMembers));
        } else if (count > scene_.limits.maxBodies) {
            add("/limits/max_bodies",
                fmt::format("the scene starts with {:.0f} bodies, more than the {} allowed; raise max_bodies", count,
                            scene_.limits.maxBodies),
                std::to_string(scene_.limits.maxBodies), fmt::format("at least {:.0f}", count));
        } else if (count == 0) {
            add("/bodies", "there are no bodies: nothing will move", "", "one body or more", Issue::Severity::Warning);
        }
    }

    /// The body or instance of the scene that most comes from, and how much.
    std::pair<std::string, double> largestMember() const {
        std::pair<std::string, double> largest{"", -1};
        const auto consider = [&](const char* list, size_t i, double placed) {
            if (placed > largest.second) largest = {below(below("", list), std::to_string(i)), placed};
        };
        Census census(scene_);
        for (size_t i = 0; i < scene_.bodies.size(); ++i) consider("bodies", i, members(scene_.bodies[i].array));
        for (size_t i = 0; i < scene_.instances.size(); ++i)
            consider("instances", i, census.of(scene_.instances[i]).placed);
        return largest;
    }

    /// Fragments are named when they are born; of what they are part must be there.
    void checkActions() {
        if (scene_.actions.empty()) return;
        std::set<std::string> names;
        if (scene_.floor.present) names.insert("floor");
        for (PlacedBody& placed : placedBodies(scene_)) names.insert(std::move(placed.name));
        for (size_t i = 0; i < scene_.actions.size(); ++i) {
            const std::string& body = std::visit(
                [](const auto& one) -> auto& { return one.body; }, scene_.actions[i]);
            if (isBodyOrPart(body, names)) continue;
            add(below(below("/actions", std::to_string(i)), "body"),
                "there is no body " + shown(body) +
                    suggestion(body, std::vector<std::string>(names.begin(), names.end())),
                shown(body), "the name of a body, or of a fragment as \"wall/p3\"", Issue::Severity::Warning);
        }
    }
    static bool isBodyOrPart(const std::string& path, const std::set<std::string>& names) {
        for (size_t end = path.size(); end != std::string::npos && end > 0; end = path.rfind('/', end - 1)) {
            if (names.contains(path.substr(0, end))) return true;
        }
        return false;
    }

    const Scene& scene_;
    Issues& issues_;
};

}  // namespace

void checkScene(const Scene& scene, Issues& issues) { Checker(scene, issues).run(); }

double bodyCount(const Scene& scene) { return Census(scene).all().bodies; }

}  // namespace sunder::scene
