#include "studio/server.h"

#include <atomic>
#include <csignal>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"
#include "io/exports/replay.h"
#include "io/files/byte_order.h"
#include "scene/materials_json.h"
#include "scene/schema_text.h"
#include "schema/json_text.h"
#include "studio/token.h"

namespace sunder::studio {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
namespace fs = std::filesystem;
using asio::ip::tcp;

constexpr size_t kMostHeaderBytes = 16 << 10;
constexpr const char* kPolicy =
    "default-src 'self'; img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri "
    "'none'; frame-ancestors 'none'";
constexpr std::string_view kProtocolStart = "sunder.";

std::string_view viewOf(beast::string_view text) { return {text.data(), text.size()}; }

/// "%2e" and the like; nothing when it is not well formed.
std::optional<std::string> percentDecoded(std::string_view text) {
    std::string decoded;
    const auto digit = [](char c) -> int {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        if (i + 2 >= text.size() || digit(text[i + 1]) < 0 || digit(text[i + 2]) < 0) return {};
        decoded += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
        i += 2;
    }
    return decoded;
}

/// "/upload?name=x.obj"
struct Target {
    std::string path;
    std::map<std::string, std::string> query;
};
std::optional<Target> parsedTarget(std::string_view text) {
    Target target;
    const size_t mark = text.find('?');
    const std::optional<std::string> path = percentDecoded(text.substr(0, mark));
    if (!path || !path->starts_with('/') || path->find('\0') != std::string::npos) return {};
    target.path = *path;
    std::string_view rest = mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        const size_t equals = pair.find('=');
        if (equals == std::string_view::npos) continue;
        const std::optional<std::string> value = percentDecoded(pair.substr(equals + 1));
        if (!value) return {};
        target.query[std::string(pair.substr(0, equals))] = *value;
    }
    return target;
}

const char* typeOf(const fs::path& path) {
    static const std::map<std::string, const char*> types{{".html", "text/html; charset=utf-8"},
                                                          {".js", "text/javascript; charset=utf-8"},
                                                          {".mjs", "text/javascript; charset=utf-8"},
                                                          {".css", "text/css; charset=utf-8"},
                                                          {".json", "application/json"},
                                                          {".svg", "image/svg+xml"},
                                                          {".png", "image/png"},
                                                          {".ico", "image/x-icon"},
                                                          {".woff2", "font/woff2"},
                                                          {".wasm", "application/wasm"},
                                                          {".txt", "text/plain; charset=utf-8"}};
    const auto found = types.find(path.extension().string());
    return found == types.end() ? "application/octet-stream" : found->second;
}

/// A file of the page; nothing when there is none. Names are plain, and links lead nowhere else.
std::optional<fs::path> pageFile(const fs::path& web, const std::string& path) {
    if (web.empty()) return {};
    const fs::path name(path.substr(1));
    for (const fs::path& part : name)
        if (part.empty() || part.string().starts_with('.') || part.is_absolute()) return {};
    std::error_code problem;
    const fs::path root = fs::canonical(web, problem);
    const fs::path file = problem ? fs::path() : fs::canonical(root / name, problem);
    if (problem || !fs::is_regular_file(file)) return {};
    const fs::path inside = file.lexically_relative(root);
    return inside.empty() || *inside.begin() == ".." ? std::nullopt : std::optional(file);
}

/// What there is without a page.
std::string pageWithoutPages() {
    return "<!doctype html><title>Sunder Studio</title><p>Studio's page is not built. Build it with <code>./dev build "
           "web</code> (needs node), then start <code>sunder studio</code> again.</p>";
}

/// u32 length of the header, the header padded with spaces to a multiple of four from the start of the message, bytes.
std::string binaryMessage(const Answer& answer) {
    std::string header = textOf(answer.json);
    while (header.size() % 4 != 0) header += ' ';
    std::string message;
    store(message, static_cast<uint32_t>(header.size()));
    message += header;
    message.append(reinterpret_cast<const char*>(answer.bytes.data()), answer.bytes.size());
    return message;
}

}  // namespace

// ---- what connections share

class Socket;

struct Server::State {
    State(Session& theSession, ServerOptions theOptions)
        : session(theSession),
          options(std::move(theOptions)),
          acceptor(context),
          noticeTimer(context),
          workTimer(context),
          retryTimer(context) {}

    Session& session;
    ServerOptions options;
    std::string host, otherHost;  // as clients name it
    std::atomic<bool> noticeDue{false};

    // of the network's thread
    std::set<Socket*> sockets;
    size_t connections = 0;
    std::chrono::steady_clock::time_point lastNotice{};

    asio::io_context context{1};  // connections go with it, so what they use is above
    tcp::acceptor acceptor;
    asio::steady_timer noticeTimer, workTimer, retryTimer;
    asio::thread_pool workers{3};

    void accept();
    /// From any thread; many calls are one notice.
    void statusChanged();
    void sendNotice();
    bool knows(std::string_view name) const { return name == host || name == otherHost; }
};

// ---- WebSockets

/// One client. Commands are done one after the other; the next begins when the answer to the last is on its way, so
/// that a client that does not read costs one answer. Notices that it has no time for are replaced by later ones.
class Socket : public std::enable_shared_from_this<Socket> {
public:
    Socket(Server::State& server, beast::tcp_stream stream) : server_(server), stream_(std::move(stream)) {
        server_.sockets.insert(this);
        ++server_.connections;
    }
    ~Socket() {
        server_.sockets.erase(this);
        --server_.connections;
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    void accept(const http::request<http::empty_body>& request) {
        // timeouts are the WebSocket's own from now on; it pings those that are silent
        beast::get_lowest_layer(stream_).expires_never();
        stream_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
        stream_.set_option(websocket::stream_base::decorator([this](websocket::response_type& response) {
            response.set(http::field::sec_websocket_protocol, std::string(kProtocolStart) + server_.options.token);
        }));
        stream_.read_message_max(server_.options.mostMessageBytes);
        stream_.auto_fragment(false);  // frames are megabytes: pieces of a few kB would cost more than they do
        stream_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
            if (error) return;
            self->notify();
            self->read();
        });
    }

    void notify() {
        noticeDue_ = true;
        pump();
    }

private:
    void read() {
        stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, size_t) {
            if (error) {
                self->closing_ = true;
                return;
            }
            self->take();
        });
    }

    void take() {
        if (!stream_.got_text()) return close(websocket::close_code::unknown_data, "send text");
        waiting_.push_back(beast::buffers_to_string(buffer_.data()));
        waitingBytes_ += waiting_.back().size();
        buffer_.consume(buffer_.size());
        const size_t unanswered = waiting_.size() + (working_ ? 1 : 0);
        if (unanswered > server_.options.mostUnanswered || waitingBytes_ > 2 * server_.options.mostMessageBytes)
            return close(websocket::close_code::policy_error, "too many unanswered messages");
        pump();
        if (!closing_) read();
    }

    void close(websocket::close_code code, const char* reason) {
        if (closing_) return;
        closing_ = true;
        waiting_.clear();
        stream_.async_close({code, reason}, [self = shared_from_this()](beast::error_code) {});
    }

    /// Whatever can be done now.
    void pump() {
        if (closing_ || !stream_.is_open()) return;
        if (!working_ && !answer_ && !waiting_.empty()) work();
        if (writing_) return;
        if (answer_) {
            outgoing_ = std::move(*answer_);
            stream_.binary(answerIsBinary_);
            writesAnswer_ = true;
            write();
        } else if (noticeDue_) {
            noticeDue_ = false;
            outgoing_ = textOf(Json{{"status", server_.session.status()}});
            stream_.binary(false);
            write();
        }
    }

    void write() {
        writing_ = true;
        stream_.async_write(asio::buffer(outgoing_), [self = shared_from_this()](beast::error_code error, size_t) {
            self->writing_ = false;
            self->outgoing_ = {};
            if (std::exchange(self->writesAnswer_, false)) self->answer_.reset();
            if (error) {
                self->closing_ = true;
                return;
            }
            self->pump();
        });
    }

    void work() {
        working_ = true;
        std::string message = std::move(waiting_.front());
        waiting_.pop_front();
        waitingBytes_ -= message.size();
        asio::post(server_.workers, [self = shared_from_this(), message = std::move(message)]() mutable {
            Answer answer = self->answerTo(message);
            const bool binary = answer.binary;
            std::string text = binary ? binaryMessage(answer) : textOf(answer.json);
            asio::io_context& network = self->server_.context;
            // self goes along: sockets end on the network's thread
            asio::post(network, [self = std::move(self), text = std::move(text), binary]() mutable {
                self->working_ = false;
                self->answer_ = std::move(text);
                self->answerIsBinary_ = binary;
                self->pump();
            });
        });
    }

    Answer answerTo(const std::string& message) const {
        schema::Issues issues("message");
        const Json command = schema::parseJson(message, issues);
        if (!issues.failed()) return server_.session.handle(command);
        return {Json{{"error", {{"message", issues.list().front().message}, {"issues", Json::array()}}}}};
    }

    Server::State& server_;
    websocket::stream<beast::tcp_stream> stream_;
    beast::flat_buffer buffer_;
    std::deque<std::string> waiting_;
    size_t waitingBytes_ = 0;
    std::optional<std::string> answer_;  // that is to be sent, or being sent
    std::string outgoing_;
    bool answerIsBinary_ = false, writesAnswer_ = false;
    bool working_ = false, writing_ = false, noticeDue_ = false, closing_ = false;
};

// ---- HTTP

class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(Server::State& server, tcp::socket socket) : server_(server), stream_(std::move(socket)) {
        ++server_.connections;
    }
    ~Connection() { --server_.connections; }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void read() {
        parser_.emplace();
        parser_->header_limit(kMostHeaderBytes);
        parser_->body_limit(std::numeric_limits<uint64_t>::max());  // whoever takes a body has a limit of its own
        stream_.expires_after(server_.options.headerTime);
        http::async_read_header(
            stream_, buffer_, *parser_,
            [self = shared_from_this()](beast::error_code error, size_t) { self->onHeader(error); });
    }

private:
    using Request = http::request<http::empty_body>;

    const Request& request() const { return parser_->get(); }

    void onHeader(beast::error_code error) {
        if (!error) return serve();
        if (error == http::error::header_limit)
            return refuse(http::status::request_header_fields_too_large, "the header of the request is too large");
        const bool gone = error == http::error::end_of_stream || error == http::error::partial_message ||
                          error.category() != http::make_error_code(http::error::bad_method).category();
        gone ? end() : refuse(http::status::bad_request, "this is no HTTP request: " + error.message());
    }

    /// Who asks, and from where?
    bool isWelcome() {
        if (request().count(http::field::host) > 1) {
            refuse(http::status::bad_request, "a request names one Host, and this one names more");
            return false;
        }
        if (!server_.knows(viewOf(request()[http::field::host]))) {
            refuse(http::status::misdirected_request,
                   "this address is not served here; open the one that sunder "
                   "studio printed");
            return false;
        }
        const bool fromElsewhere =
            request().count(http::field::origin) > 0 &&
            viewOf(request()[http::field::origin]) != "http://" + std::string(viewOf(request()[http::field::host]));
        if (fromElsewhere) {
            refuse(http::status::forbidden, "pages of other sites have no business here");
            return false;
        }
        return true;
    }

    bool knowsToken() {
        if (equalTokens(viewOf(request()["X-Sunder-Token"]), server_.options.token)) return true;
        refuse(http::status::unauthorized,
               "the token is missing or wrong; open the address that sunder studio printed");
        return false;
    }

    void serve() {
        if (!isWelcome()) return;
        const std::optional<Target> target = parsedTarget(viewOf(request().target()));
        if (!target) return refuse(http::status::bad_request, "the address is not well formed");
        if (websocket::is_upgrade(request())) return upgrade(*target);
        if (request().method() == http::verb::post && target->path == "/upload") return upload(*target);
        if (parser_->chunked() || parser_->content_length().value_or(0) > 0)
            return refuse(http::status::bad_request, "only uploads have a body");
        if (request().method() != http::verb::get && request().method() != http::verb::head)
            return refuse(http::status::method_not_allowed, "use GET");
        get(*target);
    }

    void upgrade(const Target& target) {
        if (target.path != "/socket") return refuse(http::status::not_found, "there is no socket of that name");
        if (request().count(http::field::origin) == 0)
            return refuse(http::status::forbidden, "a socket needs an Origin: only Studio's own page may open one");
        bool known = false;
        for (const beast::string_view name : http::token_list(request()[http::field::sec_websocket_protocol])) {
            const std::string_view protocol = viewOf(name);
            known = known || (protocol.starts_with(kProtocolStart) &&
                              equalTokens(protocol.substr(kProtocolStart.size()), server_.options.token));
        }
        if (!known)
            return refuse(http::status::unauthorized,
                          "the token is missing or wrong; open the address that sunder studio printed");
        if (server_.sockets.size() >= server_.options.mostSockets)
            return refuse(http::status::service_unavailable, "Studio is open in too many tabs; close some");
        std::make_shared<Socket>(server_, std::move(stream_))->accept(request());
    }

    /// What the program has to offer, which is the same for every project; null: nothing of that name.
    static std::string (*catalogueAt(const std::string& path))() {
        if (path == "/schema.json") return scene::jsonSchemaText;
        if (path == "/shapes.json") return [] { return textOf(shapesJson()); };
        if (path == "/materials.json") return [] { return textOf(scene::materialsJson()); };
        if (path == "/exporters.json") return [] { return textOf(exportersJson()); };
        return nullptr;
    }

    void get(const Target& target) {
        // what the scene may say
        if (const auto catalogue = catalogueAt(target.path)) {
            if (!knowsToken()) return;
            return sendText(catalogue(), "application/json");
        }
        // meshes and files of the project are only for those who know the token
        if (target.path.starts_with("/mesh/")) {
            if (knowsToken()) sendMesh(target.path.substr(6));
            return;
        }
        if (target.path == "/file") {
            if (knowsToken()) sendDownload(target);
            return;
        }
        // pages hold no secrets: they get the token from their address
        const bool start = target.path == "/";
        for (const std::string& name :
             start ? std::vector<std::string>{"/index.html", "/studio.html"} : std::vector<std::string>{target.path})
            if (const std::optional<fs::path> file = pageFile(server_.options.web, name)) return sendFile(*file, {});
        if (start) return sendText(pageWithoutPages(), "text/html; charset=utf-8");
        refuse(http::status::not_found, "there is nothing of that name");
    }

    // ---- what takes time is done by a worker

    void sendMesh(const std::string& hash) {
        // a mesh may take long to make: the network goes on meanwhile
        stream_.expires_never();
        asio::post(server_.workers, [self = shared_from_this(), hash]() mutable {
            std::string bytes, problem;
            try {
                bytes = self->server_.session.mesh(hash);
            } catch (const std::exception& error) {
                problem = error.what();
            }
            // back on the network's thread, for connections belong to it
            asio::io_context& network = self->server_.context;
            asio::post(network,
                       [self = std::move(self), bytes = std::move(bytes), problem = std::move(problem)]() mutable {
                           if (!problem.empty()) return self->refuse(http::status::not_found, problem);
                           // a mesh is named by its contents, so it may be kept for ever
                           http::response<http::string_body> response{http::status::ok, self->request().version()};
                           response.body() = std::move(bytes);
                           response.set(http::field::content_type, "application/octet-stream");
                           response.set(http::field::cache_control, "private, max-age=31536000, immutable");
                           self->send(std::move(response));
                       });
        });
    }

    void sendDownload(const Target& target) {
        const auto path = target.query.find("path");
        try {
            if (path == target.query.end()) throw InputError("path", "say which file");
            const fs::path file = server_.session.download(path->second);
            std::string name = file.filename().string();
            for (char& c : name)
                if (c < ' ' || c == '"' || c == '\\' || c == 127) c = '_';
            sendFile(file, "attachment; filename=\"" + name + "\"");
        } catch (const InputError& error) {
            refuse(http::status::not_found, error.what());
        }
    }

    void upload(const Target& target) {
        // refuse before a byte is stored, where that is possible
        if (!knowsToken()) return;
        const auto name = target.query.find("name");
        if (name == target.query.end()) return refuse(http::status::bad_request, "say the name of the file: ?name=");
        const size_t most = server_.options.mostUploadBytes;
        if (parser_->content_length().value_or(0) > most) return refuseUpload();
        beast::error_code problem;
        // from here on the body goes to a file, never to memory
        upload_.emplace(std::move(*parser_));
        upload_->body_limit(most);
        try {
            uploadFile_ = server_.session.uploadPlace();
        } catch (const std::exception& error) {
            return refuse(http::status::internal_server_error, error.what());
        }
        upload_->get().body().open(uploadFile_.c_str(), beast::file_mode::write, problem);
        if (problem)
            return refuse(http::status::internal_server_error, "the upload cannot be stored: " + problem.message());
        stream_.expires_after(server_.options.bodyTime);
        // the file is read and adopted when it is whole
        http::async_read(stream_, buffer_, *upload_,
                         [self = shared_from_this(), name = name->second](beast::error_code error, size_t) {
                             self->onUploaded(error, name);
                         });
    }

    void onUploaded(beast::error_code error, const std::string& name) {
        ASSERT(upload_.has_value());
        // an upload that ended early leaves no file behind
        upload_->get().body().close();
        if (error) {
            removeUpload();
            return error == http::error::body_limit ? refuseUpload() : end();
        }
        // reading the file takes long: the network goes on meanwhile
        stream_.expires_never();
        asio::post(server_.workers, [self = shared_from_this(), name]() mutable {
            Json answer;
            bool good = true;
            try {
                answer = self->server_.session.adoptUpload(name, self->uploadFile_);
            } catch (const std::exception& problem) {
                good = false;
                answer = {{"error", {{"message", problem.what()}, {"issues", Json::array()}}}};
            }
            // back on the network's thread
            asio::io_context& network = self->server_.context;
            asio::post(network, [self = std::move(self), text = textOf(answer), good] {
                self->removeUpload();
                self->sendText(text, "application/json", good ? http::status::ok : http::status::unprocessable_entity);
            });
        });
    }

    void removeUpload() {
        std::error_code ignored;
        fs::remove(uploadFile_, ignored);
    }

    void refuseUpload() {
        refuse(http::status::payload_too_large, fmt::format("the file is too large; uploads may have up to {} MB",
                                                            server_.options.mostUploadBytes >> 20));
    }

    // ---- answers

    unsigned version() const { return upload_ ? upload_->get().version() : request().version(); }
    bool keepsAlive() const {
        return upload_ ? upload_->keep_alive() : parser_->is_header_done() && parser_->keep_alive();
    }

    void sendText(const std::string& text, const char* type, http::status status = http::status::ok) {
        http::response<http::string_body> response{status, version()};
        response.body() = text;
        response.set(http::field::content_type, type);
        send(std::move(response));
    }

    void sendFile(const fs::path& path, const std::string& disposition) {
        http::response<http::file_body> response{http::status::ok, version()};
        beast::error_code problem;
        response.body().open(path.c_str(), beast::file_mode::scan, problem);
        if (problem) return refuse(http::status::not_found, "the file cannot be read");
        response.set(http::field::content_type, typeOf(path));
        if (!disposition.empty()) response.set(http::field::content_disposition, disposition);
        send(std::move(response));
    }

    /// The connection ends with it: what else is on the line may be anything.
    void refuse(http::status status, const std::string& why) {
        http::response<http::string_body> response{status, 11};
        response.body() = textOf(Json{{"error", {{"message", why}, {"issues", Json::array()}}}});
        response.set(http::field::content_type, "application/json");
        last_ = true;
        send(std::move(response));
    }

    template <class Body>
    void send(http::response<Body> response) {
        // every answer: nothing from elsewhere is loaded, nothing is guessed, nothing stays in a cache unasked
        response.set("Content-Security-Policy", kPolicy);
        response.set("X-Content-Type-Options", "nosniff");
        response.set("Referrer-Policy", "no-referrer");
        response.set("Cross-Origin-Resource-Policy", "same-origin");
        if (response.count(http::field::cache_control) == 0) response.set(http::field::cache_control, "no-store");
        // the connection ends with an answer that could not read the whole request
        last_ = last_ || !keepsAlive();
        response.keep_alive(!last_);
        response.prepare_payload();
        const bool headOnly = !upload_ && parser_->is_header_done() && request().method() == http::verb::head;
        // the response lives until it is sent
        auto kept = std::make_shared<http::response<Body>>(std::move(response));
        auto serializer = std::make_shared<http::response_serializer<Body>>(*kept);
        stream_.expires_after(server_.options.bodyTime);
        const auto done = [self = shared_from_this(), kept, serializer](beast::error_code error, size_t) {
            self->onSent(error);
        };
        if (headOnly) {
            http::async_write_header(stream_, *serializer, done);
        } else {
            http::async_write(stream_, *serializer, done);
        }
    }

    void onSent(beast::error_code error) {
        if (error || last_) return end();
        upload_.reset();
        read();
    }

    /// A client that is still sending is read for a moment, so that it gets to see the answer.
    void end() {
        beast::error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        if (ignored) return;
        stream_.expires_after(std::chrono::seconds(1));
        drain();
    }
    void drain() {
        drained_.resize(size_t{64} << 10);
        stream_.async_read_some(asio::buffer(drained_), [self = shared_from_this()](beast::error_code error, size_t) {
            if (!error) self->drain();
        });
    }

    Server::State& server_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_{kMostHeaderBytes + (size_t{256} << 10)};
    std::optional<http::request_parser<http::empty_body>> parser_;
    std::optional<http::request_parser<http::file_body>> upload_;
    fs::path uploadFile_;
    std::vector<char> drained_;
    bool last_ = false;
};

// ---- the server

void Server::State::accept() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        // beyond the limit they are let go at once; no descriptors left: wait for some
        if (!error && connections < options.mostConnections)
            std::make_shared<Connection>(*this, std::move(socket))->read();
        if (!error) return accept();
        retryTimer.expires_after(std::chrono::milliseconds(100));
        retryTimer.async_wait([this](beast::error_code) { accept(); });
    });
}

void Server::State::statusChanged() {
    if (noticeDue.exchange(true)) return;
    asio::post(context, [this] {
        noticeTimer.expires_at(lastNotice + options.noticeEvery);
        noticeTimer.async_wait([this](beast::error_code) { sendNotice(); });
    });
}

void Server::State::sendNotice() {
    lastNotice = std::chrono::steady_clock::now();
    noticeDue = false;  // what changes from now on is told with the next one
    for (Socket* socket : std::set<Socket*>(sockets)) socket->notify();
    // a frame that takes long says what it is at, and how long by now
    if (!session.isAtWork()) return;
    workTimer.expires_after(options.workEvery);
    workTimer.async_wait([this](beast::error_code error) {
        if (!error) statusChanged();
    });
}

Server::Server(Session& session, ServerOptions options) : state_(std::make_unique<State>(session, std::move(options))) {
    const tcp::endpoint place(asio::ip::address_v4::loopback(), state_->options.port);
    beast::error_code problem;
    tcp::acceptor& acceptor = state_->acceptor;
    acceptor.open(place.protocol(), problem);
    if (!problem) acceptor.set_option(asio::socket_base::reuse_address(true), problem);
    if (!problem) acceptor.bind(place, problem);
    if (!problem) acceptor.listen(asio::socket_base::max_listen_connections, problem);
    if (problem)
        throw InputError("port " + std::to_string(state_->options.port),
                         "cannot be had (" + problem.message() + "); choose another with --port, or none");
    state_->host = "127.0.0.1:" + std::to_string(port());
    state_->otherHost = "localhost:" + std::to_string(port());
    session.onChange([state = state_.get()] { state->statusChanged(); });
}

Server::~Server() {
    state_->session.onChange({});
    stop();
    state_->workers.join();
    // what connections there are end with the context
}

uint16_t Server::port() const { return state_->acceptor.local_endpoint().port(); }
std::string Server::url() const { return "http://" + state_->host + "/#" + state_->options.token; }

void Server::run(Signals signals) {
    asio::signal_set ends(state_->context);
    if (signals == Signals::Take) {
        ends.add(SIGINT);
        ends.add(SIGTERM);
        ends.async_wait([this](beast::error_code error, int) {
            if (error) return;
            if (state_->options.ending) state_->options.ending();
            stop();
        });
    }
    state_->accept();
    state_->context.run();
}

void Server::stop() { state_->context.stop(); }

fs::path studioPages() {
    try {
        const fs::path folder = replayPage().parent_path() / "studio";
        return fs::is_directory(folder) ? folder : fs::path();
    } catch (const InputError&) {
        return {};
    }
}

}  // namespace sunder::studio
