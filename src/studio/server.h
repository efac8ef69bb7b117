#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "studio/session.h"

namespace sunder::studio {

struct ServerOptions {
    uint16_t port = 0;          // 0: a free one
    std::string token;          // what clients must know
    std::filesystem::path web;  // folder of the page; empty: there is none

    size_t mostUploadBytes = size_t{256} << 20;
    size_t mostMessageBytes = size_t{16} << 20;
    size_t mostUnanswered = 64;                   // messages of one socket
    size_t mostSockets = 16;                      // WebSockets
    size_t mostConnections = 128;                 // of any kind
    std::chrono::milliseconds headerTime{10000};  // for all of a request's header
    std::chrono::milliseconds bodyTime{120000};   // for an upload, and for an answer to be taken
    std::chrono::milliseconds noticeEvery{33};    // between two notices of the status
    std::chrono::milliseconds workEvery{500};     // likewise, while a frame is in work and nothing else happens
    std::function<void()> ending;                 // called when a signal ends it, before anything else ends
};

/// Studio's one port: pages, meshes and uploads over HTTP, commands over WebSockets. For this machine alone: it listens
/// on 127.0.0.1 and answers only those who name it so, come from its own pages, and know the token. One thread for the
/// network; commands are done by others, so that no client waits for another one's.
class Server {
public:
    /// Throws InputError when the port cannot be had.
    Server(Session& session, ServerOptions options);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    uint16_t port() const;
    std::string url() const;  // with the token
    /// Serves until stop(), or until Ctrl-C or SIGTERM if it is to take these.
    enum class Signals { Ignore, Take };
    void run(Signals signals = Signals::Ignore);
    void stop();  // from any thread

    struct State;  // known to server.cpp alone

private:
    std::unique_ptr<State> state_;
};

/// Where Studio's page is: studio/ beside the page of replays (io/exports/replay.h). Empty when there is none.
std::filesystem::path studioPages();

}  // namespace sunder::studio
