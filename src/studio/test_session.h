#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <gtest/gtest.h>

#include "io/files/byte_order.h"
#include "io/files/test_scratch.h"
#include "studio/session.h"

namespace sunder::studio::test {

inline constexpr const char* kVersion = "1.2.3";

/// A brittle block falls on the floor and breaks; quick to build and to run.
inline Json fallingBlock() {
    return Json::parse(R"({
        "version": 1,
        "world": {"frames": 40},
        "materials": {"clay": {"fracture": {"method": "prescored", "threshold": 20, "pieces": 6, "pattern": "radial",
                                            "max_generations": 1}}},
        "floor": {},
        "bodies": [{"name": "block", "shape": {"name": "box", "width": 0.4, "height": 0.4, "depth": 0.4},
                    "position": [0, 0.8, 0], "material": "clay"}]
    })");
}

inline Json ball(double height = 2) {
    return {{"shape", {{"name", "sphere"}, {"radius", 0.1}}},
            {"position", Json::array({0.05, height, 0})},
            {"velocity", Json::array({0, -6, 0})}};
}

inline void writeText(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

inline std::string readText(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct WireFrame {
    uint32_t number = 0;
    std::map<uint32_t, std::array<float, 7>> places;
};

/// As the browser reads it.
inline std::vector<WireFrame> framesIn(const Answer& answer) {
    const std::string_view bytes(reinterpret_cast<const char*>(answer.bytes.data()), answer.bytes.size());
    std::vector<WireFrame> frames;
    size_t at = 0;
    while (at < bytes.size()) {
        WireFrame frame{.number = loadAs<uint32_t>(bytes, at), .places = {}};
        const auto count = loadAs<uint32_t>(bytes, at + 4);
        at += 8;
        for (uint32_t i = 0; i < count; ++i, at += 32) {
            std::array<float, 7>& place = frame.places[loadAs<uint32_t>(bytes, at)];
            for (size_t k = 0; k < 7; ++k) place[k] = loadAs<float>(bytes, at + 4 + 4 * k);
        }
        frames.push_back(std::move(frame));
    }
    return frames;
}

/// A session in a folder of its own, and whoever waits for it.
class SessionTest : public sunder::test::ScratchTest {
protected:
    void open(std::chrono::milliseconds autosaveAfter = std::chrono::milliseconds(1)) {
        session_.reset();
        session_ = std::make_unique<Session>(
            SessionOptions{.project = folder(), .program = kVersion, .autosaveAfter = autosaveAfter});
        session_->onChange([this] {
            const std::lock_guard lock(mutex_);
            ++changes_;
            changed_.notify_all();
        });
    }
    void close() { session_.reset(); }
    void TearDown() override {
        close();
        ScratchTest::TearDown();
    }

    /// A scene in a file, opened.
    Json openScene(const Json& scene, const std::string& name = "scene.json") {
        writeText(file(name), scene.dump());
        if (!session_) open();
        return ask({{"do", "open"}, {"path", name}});
    }

    Session& session() { return *session_; }
    Answer answer(const Json& command) { return session_->handle(command); }
    /// What must go well.
    Json ask(const Json& command) {
        Json json = answer(command).json;
        EXPECT_TRUE(json.value("ok", false)) << command.dump() << "\n" << json.dump();
        return json;
    }
    /// The sentence that a command is refused with; empty when it is not.
    std::string refusal(const Json& command) {
        const Json json = answer(command).json;
        return json.contains("error") ? json["error"]["message"].get<std::string>() : "";
    }
    Json edit(const std::string& op, const std::string& path, const Json& value, const std::string& merge = "") {
        Json step{{"op", op}, {"path", path}};
        if (op != "remove") step["value"] = value;
        Json command{{"do", "edit"}, {"label", "Change"}, {"patch", Json::array({step})}};
        if (!merge.empty()) command["merge"] = merge;
        return command;
    }
    void save() { ask({{"do", "save"}}); }
    Json take() const { return session_->status()["take"]; }

    /// Until something is so; it is looked at whenever the session says that something changed.
    bool waitUntil(const std::function<bool()>& condition, double seconds = 120) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        for (;;) {
            uint64_t seen = 0;
            {
                const std::lock_guard lock(mutex_);
                seen = changes_;
            }
            if (condition()) return true;
            std::unique_lock lock(mutex_);
            if (!changed_.wait_until(lock, end, [&] { return changes_ != seen; })) return condition();
        }
    }
    bool waitForState(const std::string& state) {
        return waitUntil([&] { return take()["state"] == state; });
    }
    /// Makes so many more frames, and waits.
    void step(uint64_t frames) {
        const uint64_t last = take()["state"] == "still" ? 0 : take()["last"].get<uint64_t>();
        ask({{"do", "step"}, {"frames", frames}});
        ASSERT_TRUE(waitUntil([&] {
            const Json now = take();
            return now["state"] != "running" && now["last"] == last + frames && now["waiting"].is_null();
        })) << take().dump();
    }
    /// Runs to the end of the scene, as fast as it goes.
    void runToEnd() {
        ask({{"do", "run"}, {"pace", "fast"}});
        ASSERT_TRUE(waitForState("done")) << take().dump() << messages();
    }
    std::string messages() { return answer({{"do", "log"}}).json.dump(); }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    uint64_t changes_ = 0;
    std::unique_ptr<Session> session_;  // the first to go
};

}  // namespace sunder::studio::test
