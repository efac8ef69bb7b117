#pragma once

#include <arpa/inet.h>
#include <cstdint>
#include <map>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace sunder::tests {

using Json = nlohmann::ordered_json;

/// A connection to this machine, byte by byte: so that tests can say what no library would.
class RawSocket {
public:
    explicit RawSocket(uint16_t port) : descriptor_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
            throw std::runtime_error("cannot connect");
    }
    ~RawSocket() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    RawSocket(RawSocket&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), read_(std::move(other.read_)), ended_(other.ended_) {}
    RawSocket& operator=(RawSocket&&) = delete;
    RawSocket(const RawSocket&) = delete;
    RawSocket& operator=(const RawSocket&) = delete;

    /// False when the other side has gone, or takes nothing for so long.
    bool send(std::string_view bytes, int patience = 20000) const {
        while (!bytes.empty()) {
            pollfd ready{descriptor_, POLLOUT, 0};
            if (poll(&ready, 1, patience) <= 0) return false;
            const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent < 0 && errno != EAGAIN) return false;
            if (sent > 0) bytes.remove_prefix(static_cast<size_t>(sent));
        }
        return true;
    }
    void endSending() const { shutdown(descriptor_, SHUT_WR); }

    /// False when it ended, or nothing came for so many milliseconds.
    bool readMore(int patience = 20000) {
        pollfd ready{descriptor_, POLLIN, 0};
        if (ended_ || poll(&ready, 1, patience) <= 0) return false;
        char block[65536];
        const ssize_t count = recv(descriptor_, block, sizeof block, 0);
        ended_ = count <= 0;
        if (!ended_) read_.append(block, static_cast<size_t>(count));
        return !ended_;
    }
    /// So many bytes; nothing when the other side ended before, or kept us waiting.
    std::optional<std::string> take(size_t count) {
        while (read_.size() < count)
            if (!readMore()) return {};
        std::string bytes = read_.substr(0, count);
        read_.erase(0, count);
        return bytes;
    }
    std::optional<std::string> takeUntil(std::string_view end) {
        for (;;) {
            if (const size_t at = read_.find(end); at != std::string::npos) return take(at + end.size());
            if (!readMore()) return {};
        }
    }
    std::string takeAll() {
        while (readMore()) {
        }
        return std::exchange(read_, {});
    }
    /// Whether the other side closes, whatever it says before.
    bool closes() {
        while (readMore()) read_.clear();
        return ended_;
    }

private:
    int descriptor_;
    std::string read_;
    bool ended_ = false;
};

struct HttpReply {
    int status = 0;  // 0: none came
    std::map<std::string, std::string> headers;
    std::string body;
};

inline HttpReply replyIn(const std::string& text) {
    HttpReply reply;
    const size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos || text.size() < 12) return reply;
    reply.status = std::stoi(text.substr(9, 3));
    for (size_t at = text.find("\r\n") + 2; at < end;) {
        const size_t stop = text.find("\r\n", at), colon = text.find(": ", at);
        if (colon < stop) reply.headers[text.substr(at, colon - at)] = text.substr(colon + 2, stop - colon - 2);
        at = stop + 2;
    }
    reply.body = text.substr(end + 4);
    return reply;
}

/// Says what it is told and takes what comes.
inline HttpReply exchange(uint16_t port, const std::string& bytes) {
    RawSocket socket(port);
    socket.send(bytes);
    return replyIn(socket.takeAll());
}

/// A client of Studio's WebSocket. Messages are masked, as clients must.
class WebSocketClient {
public:
    struct Frame {
        int opcode = 0;
        std::string payload;
        uint16_t closeCode() const {
            if (opcode != kClose || payload.size() < 2) return 0;
            return static_cast<uint16_t>(static_cast<uint8_t>(payload[0]) << 8 | static_cast<uint8_t>(payload[1]));
        }
    };
    static constexpr int kText = 1, kBinary = 2, kClose = 8, kPing = 9;

    WebSocketClient(uint16_t port, const std::string& token, const std::map<std::string, std::string>& others = {})
        : socket_(port) {
        const std::string host = "127.0.0.1:" + std::to_string(port);
        std::map<std::string, std::string> headers{{"Host", host},
                                                   {"Origin", "http://" + host},
                                                   {"Upgrade", "websocket"},
                                                   {"Connection", "Upgrade"},
                                                   {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="},
                                                   {"Sec-WebSocket-Version", "13"},
                                                   {"Sec-WebSocket-Protocol", "sunder." + token}};
        for (const auto& [name, value] : others) headers[name] = value;
        std::string request = "GET /socket HTTP/1.1\r\n";
        for (const auto& [name, value] : headers)
            if (!value.empty()) request += name + ": " + value + "\r\n";
        socket_.send(request + "\r\n");
        reply_ = replyIn(socket_.takeUntil("\r\n\r\n").value_or(""));
    }

    int status() const { return reply_.status; }  // 101: it is open
    const HttpReply& reply() const { return reply_; }

    bool sendFrame(int opcode, std::string_view payload, bool masked = true, int patience = 20000) {
        std::string frame(1, static_cast<char>(0x80 | opcode));
        const char mask = static_cast<char>(masked ? 0x80 : 0);
        const uint64_t size = payload.size();
        const int bytes = size < 126 ? 0 : size < 65536 ? 2 : 8;
        frame += static_cast<char>(mask | (bytes == 0 ? static_cast<int>(size) : bytes == 2 ? 126 : 127));
        for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(size >> (8 * i));
        constexpr char kKey[] = {0x11, 0x22, 0x33, 0x44};
        if (masked) frame.append(kKey, 4);
        for (size_t i = 0; i < payload.size(); ++i)
            frame += masked ? static_cast<char>(payload[i] ^ kKey[i % 4]) : payload[i];
        return socket_.send(frame, patience);
    }
    bool send(const Json& command, int patience = 20000) { return sendFrame(kText, command.dump(), true, patience); }

    /// Nothing when the connection ended.
    std::optional<Frame> receive() {
        const auto head = socket_.take(2);
        if (!head) return {};
        uint64_t size = static_cast<uint8_t>((*head)[1]) & 0x7f;
        const int bytes = size == 126 ? 2 : size == 127 ? 8 : 0;
        if (bytes > 0) {
            const auto more = socket_.take(static_cast<size_t>(bytes));
            if (!more) return {};
            size = 0;
            for (const char c : *more) size = size << 8 | static_cast<uint8_t>(c);
        }
        auto payload = socket_.take(size);
        if (!payload) return {};
        return Frame{static_cast<uint8_t>((*head)[0]) & 0x0f, std::move(*payload)};
    }
    /// The next message that is no notice of the status.
    std::optional<Frame> receiveAnswer() {
        for (;;) {
            std::optional<Frame> frame = receive();
            if (!frame || frame->opcode != kText || frame->payload.find("\"status\"") != 1) return frame;
            status_ = Json::parse(frame->payload)["status"];
        }
    }
    /// Asks and waits for the answer.
    Json ask(Json command) {
        command["id"] = ++id_;
        if (!send(command)) return nullptr;
        const std::optional<Frame> frame = receiveAnswer();
        return frame && frame->opcode == kText ? Json::parse(frame->payload) : Json(nullptr);
    }
    /// The code that the server closes with; 0 when it just ends.
    uint16_t closeCode() {
        for (;;) {
            const std::optional<Frame> frame = receive();
            if (!frame) return 0;
            if (frame->opcode == kClose) return frame->closeCode();
        }
    }
    const Json& lastStatus() const { return status_; }
    RawSocket& socket() { return socket_; }

private:
    RawSocket socket_;
    HttpReply reply_;
    Json status_;
    int id_ = 0;
};

}  // namespace sunder::tests
