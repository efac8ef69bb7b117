#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "io/exports/exporter.h"
#include "io/files/byte_order.h"
#include "material/catalogue.h"
#include "studio/server.h"
#include "studio/test_session.h"
#include "studio/token.h"
#include "tests/studio_client.h"

/// Studio's server as the network sees it: who is let in, and that whatever anybody sends, others are served on.
namespace sunder::tests {
namespace {

namespace fs = std::filesystem;
using studio::Server;
using studio::ServerOptions;
using studio::test::fallingBlock;
using studio::test::readText;
using studio::test::writeText;

class StudioServerTest : public studio::test::SessionTest {
protected:
    void SetUp() override {
        SessionTest::SetUp();
        fs::create_directories(file("project"));
        fs::create_directories(file("web/assets"));
        writeText(file("web/index.html"), "<!doctype html>studio");
        writeText(file("web/assets/app.js"), "let a;");
        writeText(file("secret.txt"), "secret");
        fs::create_symlink(file("secret.txt"), file("web/link.txt"));
        fs::create_symlink(file("secret.txt"), file("project/link.glb"));
        writeText(file("project/scene.json"), fallingBlock().dump());
        session_ =
            std::make_unique<studio::Session>(studio::SessionOptions{.project = file("project"), .program = "1.0"});
        session_->handle({{"do", "open"}, {"path", "scene.json"}});
    }
    void TearDown() override {
        stop();
        session_.reset();
        SessionTest::TearDown();
    }
    void start(ServerOptions options = {}) {
        options.token = token_;
        options.web = file("web");
        server_ = std::make_unique<Server>(*session_, options);
        thread_ = std::thread([this] { server_->run(); });
    }
    void stop() {
        if (!server_) return;
        server_->stop();
        thread_.join();
        server_.reset();
    }

    uint16_t port() const { return server_->port(); }
    std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
    std::string token() const { return token_; }
    std::string request(const std::string& line, const std::map<std::string, std::string>& others = {},
                        const std::string& body = "") const {
        std::map<std::string, std::string> headers{
            {"Host", host()}, {"X-Sunder-Token", token_}, {"Connection", "close"}};
        for (const auto& [name, value] : others) headers[name] = value;
        std::string text = line + " HTTP/1.1\r\n";
        for (const auto& [name, value] : headers)
            if (!value.empty()) text += name + ": " + value + "\r\n";
        return text + "\r\n" + body;
    }
    HttpReply get(const std::string& target, const std::map<std::string, std::string>& others = {}) const {
        return exchange(port(), request("GET " + target, others));
    }
    HttpReply upload(const std::string& name, const std::string& bytes) const {
        return exchange(
            port(), request("POST /upload?name=" + name, {{"Content-Length", std::to_string(bytes.size())}}, bytes));
    }
    WebSocketClient client(const std::map<std::string, std::string>& others = {}) const {
        return WebSocketClient(port(), token_, others);
    }

    /// A good client is served.
    void expectAlive() {
        EXPECT_EQ(get("/").body, "<!doctype html>studio");
        WebSocketClient good = client();
        ASSERT_EQ(good.status(), 101) << good.reply().body;
        const Json scene = good.ask({{"do", "scene"}});
        EXPECT_TRUE(scene.is_object() && scene.value("ok", false)) << scene.dump();
    }
    studio::Session& studioSession() { return *session_; }

private:
    const std::string token_ = studio::newToken();
    std::unique_ptr<studio::Session> session_;
    std::unique_ptr<Server> server_;
    std::thread thread_;
};

TEST_F(StudioServerTest, ServesItsPageAndItsData) {
    start();
    const HttpReply page = get("/", {{"X-Sunder-Token", ""}});  // the page itself needs no token
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.headers.at("Content-Security-Policy").find("default-src 'self'"), std::string::npos);
    EXPECT_EQ(page.headers.at("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(page.headers.at("Referrer-Policy"), "no-referrer");
    EXPECT_EQ(page.headers.at("Cache-Control"), "no-store");
    EXPECT_EQ(get("/assets/app.js").headers.at("Content-Type"), "text/javascript; charset=utf-8");
    EXPECT_TRUE(Json::parse(get("/schema.json").body).contains("properties"));
    EXPECT_GT(Json::parse(get("/shapes.json").body).size(), 10u);
    const Json materials = Json::parse(get("/materials.json").body);
    EXPECT_EQ(materials.size(), sunder::materials().size());
    std::set<std::string> names;
    for (const Json& material : materials) names.insert(material["name"]);
    for (const Json& shape : Json::parse(get("/shapes.json").body)) {
        if (shape["name"] == "plane") continue;
        EXPECT_TRUE(names.contains(shape["material"])) << shape["name"];
        EXPECT_EQ(shape["volume"] > 0, shape["open"] == false) << shape["name"];
        EXPECT_GE(shape["lift"], 0) << shape["name"];
    }
    const Json exports = Json::parse(get("/exporters.json").body);
    EXPECT_EQ(exports.size(), exporters().size());
    for (const Json& exporter : exports) EXPECT_FALSE(exporter["label"].empty()) << exporter;
    EXPECT_EQ(exchange(port(), request("HEAD /")).body, "");
    EXPECT_EQ(get("/nothing.js").status, 404);

    WebSocketClient browser = client();
    ASSERT_EQ(browser.status(), 101);
    EXPECT_EQ(browser.reply().headers.at("Sec-WebSocket-Protocol"), "sunder." + token());
    const Json bodies = browser.ask({{"do", "bodies"}});
    ASSERT_EQ(bodies["bodies"].size(), 2u);
    EXPECT_EQ(bodies["id"], 1);
    EXPECT_EQ(browser.lastStatus()["take"]["state"], "still");  // came by itself
    const HttpReply mesh = get("/mesh/" + bodies["bodies"][1]["mesh"].get<std::string>());
    EXPECT_EQ(mesh.status, 200);
    EXPECT_NE(mesh.headers.at("Cache-Control").find("immutable"), std::string::npos);
    EXPECT_EQ(mesh.body.size(), 12 + 12 * loadAs<uint32_t>(mesh.body, 0) + 12 * loadAs<uint32_t>(mesh.body, 4));
}

TEST_F(StudioServerTest, BinaryAnswersAreAligned) {
    start();
    WebSocketClient browser = client();
    for (const int id : {1, 22, 333, 4444}) {
        browser.send({{"id", id}, {"do", "frames"}, {"from", 0}});
        const auto frame = browser.receiveAnswer();
        ASSERT_TRUE(frame && frame->opcode == WebSocketClient::kBinary);
        const auto size = loadAs<uint32_t>(frame->payload, 0);
        EXPECT_EQ(size % 4, 0u);
        EXPECT_EQ(Json::parse(frame->payload.substr(4, size))["id"], id);
        EXPECT_EQ(loadAs<uint32_t>(frame->payload, 4 + size), 0u);      // frame 0
        EXPECT_EQ(loadAs<uint32_t>(frame->payload, 4 + size + 4), 2u);  // two bodies
        EXPECT_EQ(frame->payload.size(), 4 + size + 8 + 2 * 32);
    }
}

TEST_F(StudioServerTest, RefusesOtherHosts) {
    start();
    const std::string other = "127.0.0.1:" + std::to_string(port() == 1 ? 2 : port() - 1);
    for (const std::string& bad : {std::string("evil.example"), std::string("127.0.0.1"), other,
                                   "evil.example:" + std::to_string(port()), host() + ".evil.example", std::string()}) {
        for (const char* target : {"/", "/schema.json", "/mesh/0"})
            EXPECT_EQ(get(target, {{"Host", bad}}).status, 421) << bad << target;
        EXPECT_EQ(client({{"Host", bad}, {"Origin", "http://" + bad}}).status(), 421) << bad;
    }
    EXPECT_EQ(get("/", {{"Host", "localhost:" + std::to_string(port())}}).status, 200);
    expectAlive();
}

TEST_F(StudioServerTest, ARequestNamesOneHost) {
    start();
    for (const std::string& second : {std::string("evil.example"), host()}) {
        const std::string text =
            "GET / HTTP/1.1\r\nHost: " + host() + "\r\nHost: " + second + "\r\nConnection: close\r\n\r\n";
        EXPECT_EQ(exchange(port(), text).status, 400) << second;
    }
    expectAlive();
}

TEST_F(StudioServerTest, RefusesOtherOrigins) {
    start();
    for (const std::string& bad : {std::string("http://evil.example"), std::string("null"), "https://" + host(),
                                   "http://localhost:" + std::to_string(port()), std::string("http://127.0.0.1")}) {
        EXPECT_EQ(get("/schema.json", {{"Origin", bad}}).status, 403) << bad;
        EXPECT_EQ(client({{"Origin", bad}}).status(), 403) << bad;
    }
    EXPECT_EQ(client({{"Origin", ""}}).status(), 403);  // a socket needs one
    EXPECT_EQ(get("/schema.json", {{"Origin", "http://" + host()}}).status, 200);
    expectAlive();
}

TEST_F(StudioServerTest, RefusesWhoDoesNotKnowTheToken) {
    start();
    writeText(file("project/out.glb"), "glb");
    for (const std::string& bad :
         {std::string(), std::string("x"), token() + "x", token().substr(1), "sunder." + token()}) {
        for (const char* target :
             {"/schema.json", "/shapes.json", "/materials.json", "/exporters.json", "/mesh/0", "/file?path=out.glb"})
            EXPECT_EQ(get(target, {{"X-Sunder-Token", bad}}).status, 401) << bad << target;
        EXPECT_EQ(
            exchange(port(), request("POST /upload?name=x.obj", {{"X-Sunder-Token", bad}, {"Content-Length", "0"}}))
                .status,
            401);
        EXPECT_EQ(client({{"Sec-WebSocket-Protocol", bad.empty() ? bad : "sunder." + bad}}).status(), 401) << bad;
    }
    EXPECT_EQ(get("/file?path=out.glb").body, "glb");
    EXPECT_FALSE(fs::exists(file("project/meshes")));
    expectAlive();
}

TEST_F(StudioServerTest, AddressesLeadNowhereElse) {
    start();
    for (const std::string target : {"/../secret.txt",
                                     "/%2e%2e/secret.txt",
                                     "/..%2fsecret.txt",
                                     "/%2e%2e%2fsecret.txt",
                                     "/assets/../../secret.txt",
                                     "/assets/%2e%2e/%2e%2e/secret.txt",
                                     "//etc/passwd",
                                     "/%2fetc%2fpasswd",
                                     "/link.txt",
                                     "/.%00",
                                     "/%",
                                     "/%zz",
                                     "/index.html%00.js",
                                     "/..",
                                     "/.",
                                     "/assets",
                                     "/assets/",
                                     "/\\..\\secret.txt",
                                     "/mesh/../../secret.txt",
                                     "/mesh/%2e%2e",
                                     "/mesh/",
                                     "/file",
                                     "/file?path=",
                                     "/file?path=../secret.txt",
                                     "/file?path=%2e%2e%2fsecret.txt",
                                     "/file?path=/etc/passwd",
                                     "/file?path=%2fetc%2fpasswd",
                                     "/file?path=link.glb",
                                     "/file?path=.sunder/lock",
                                     "/file?path=.",
                                     "/file?path=%00",
                                     "/file?path=scene.json%00"}) {
        const HttpReply reply = get(target);
        EXPECT_TRUE(reply.status == 404 || reply.status == 400) << target << " " << reply.status;
        EXPECT_EQ(reply.body.find("secret\n"), std::string::npos);
        EXPECT_NE(reply.body, "secret") << target;
    }
    EXPECT_EQ(get("/file?path=scene.json").body, fallingBlock().dump());
    for (const std::string name :
         {"../x.obj", "%2e%2e%2fx.obj", "/tmp/x.obj", "a%2fb.obj", ".x.obj", "x.exe", "", "%00.obj"})
        EXPECT_GE(upload(name, "v 0 0 0\n").status, 400) << name;
    EXPECT_FALSE(fs::exists(file("project/x.obj")) || fs::exists(file("x.obj")));
    WebSocketClient browser = client();
    for (const std::string command : {"open", "save", "files", "diagnose", "repair", "export", "render", "keep"}) {
        for (const std::string path : {"../secret.txt", "/etc/passwd", "link.glb", ".sunder/lock"}) {
            if (path == "link.glb" && (command == "save" || command == "keep")) continue;  // they add their own ending
            const Json answer = browser.ask({{"do", command}, {"path", path}, {"folder", path}, {"force", true}});
            EXPECT_TRUE(answer.contains("error")) << command << path << answer.dump();
        }
    }
    EXPECT_EQ(readText(file("secret.txt")), "secret");
    expectAlive();
}

TEST_F(StudioServerTest, TakesUploadsUpToALimit) {
    start({.mostUploadBytes = 10000});
    const std::string cube =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";  // a tetrahedron
    const HttpReply good = upload("a%20b.obj", cube);
    ASSERT_EQ(good.status, 200) << good.body;
    EXPECT_EQ(Json::parse(good.body)["path"], "meshes/a b.obj");
    EXPECT_TRUE(Json::parse(good.body)["diagnosis"]["solid"].get<bool>());
    EXPECT_EQ(upload("bad.obj", "f 1 2 3\n").status, 422);

    EXPECT_EQ(upload("large.obj", std::string(10001, ' ')).status, 413);
    // announced, never sent
    EXPECT_EQ(exchange(port(), request("POST /upload?name=x.obj", {{"Content-Length", "99999999999999"}})).status, 413);
    // in chunks, without saying how much
    std::string chunks;
    for (int i = 0; i < 30; ++i) chunks += "400\r\n" + std::string(1024, 'x') + "\r\n";
    EXPECT_EQ(exchange(port(), request("POST /upload?name=x.obj", {{"Transfer-Encoding", "chunked"}}, chunks)).status,
              413);
    // cut in the middle
    {
        RawSocket half(port());
        half.send(request("POST /upload?name=x.obj", {{"Content-Length", "5000"}}, "v 0 0 0\n"));
        half.endSending();
        EXPECT_TRUE(half.closes());
    }
    EXPECT_EQ(exchange(port(), request("GET /", {{"Content-Length", "5"}}, "hello")).status, 400);
    EXPECT_EQ(exchange(port(), request("PUT /upload?name=x.obj")).status, 405);
    expectAlive();
    size_t left = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(file("project/.sunder/uploads")))
        left += entry.exists();
    EXPECT_EQ(left, 0u);
    EXPECT_FALSE(fs::exists(file("project/meshes/x.obj")));
}

TEST_F(StudioServerTest, GarbageIsRefused) {
    start();
    std::string noise;
    uint32_t state = 1;
    for (int i = 0; i < 5000; ++i) noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    for (const std::string& bytes :
         {noise, std::string("\0\0\0\0", 4), std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
          std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),
          "GET / HTTP/1.1\r\n" + std::string(5000, ':') + "\r\n\r\n"}) {
        RawSocket socket(port());
        socket.send(bytes);
        socket.endSending();
        EXPECT_TRUE(socket.closes());
    }
    const HttpReply large = get("/", {{"X-Long", std::string(100000, 'x')}});
    EXPECT_TRUE(large.status == 431 || large.status == 0) << large.status;
    expectAlive();
}

TEST_F(StudioServerTest, BadMessagesGetASentenceOrEndTheSocket) {
    start({.mostMessageBytes = 100000});
    {
        WebSocketClient browser = client();
        for (const std::string& text :
             {std::string("{"), std::string(""), std::string("null"), std::string("[]"), std::string("17"),
              std::string("{\"do\": \"scene\",}"), std::string("{\"do\": 1e999}"),
              "{\"do\": \"edit\", \"patch\": " + std::string(5000, '[') + std::string(5000, ']') + "}",
              std::string(50000, '['), std::string("{\"do\": \"scene\", \"do\": \"new\"}")}) {
            browser.sendFrame(WebSocketClient::kText, text);
            const auto answer = browser.receiveAnswer();
            ASSERT_TRUE(answer) << text.substr(0, 50);
            EXPECT_TRUE(Json::parse(answer->payload).contains("error")) << answer->payload;
        }
        EXPECT_TRUE(browser.ask({{"do", "scene"}})["ok"].get<bool>());  // the same socket goes on
    }
    {
        WebSocketClient browser = client();
        browser.sendFrame(WebSocketClient::kBinary, std::string(1000, '\xfe'));
        EXPECT_EQ(browser.closeCode(), 1003);
    }
    {
        WebSocketClient browser = client();
        browser.sendFrame(WebSocketClient::kText, std::string(100001, ' '));
        EXPECT_EQ(browser.closeCode(), 1009);
    }
    {
        WebSocketClient browser = client();
        browser.sendFrame(WebSocketClient::kText, "\xff\xfe no UTF-8");
        EXPECT_EQ(browser.closeCode(), 1007);
    }
    {
        WebSocketClient browser = client();
        browser.sendFrame(WebSocketClient::kText, "{}", false);  // clients must mask
        EXPECT_TRUE(browser.socket().closes());
    }
    {
        WebSocketClient browser = client();
        browser.socket().send(std::string(3000, '\x7f'));
        EXPECT_TRUE(browser.socket().closes());
    }
    expectAlive();
}

TEST_F(StudioServerTest, AFloodEndsTheSocket) {
    start();
    WebSocketClient flood = client();
    for (int i = 0; i < 20000; ++i)
        if (!flood.send({{"id", i}, {"do", "bodies"}}, 2000)) break;
    EXPECT_EQ(flood.closeCode(), 1008);
    expectAlive();
    // as many as allowed are answered in order
    WebSocketClient eager = client();
    for (int i = 0; i < 60; ++i) eager.send({{"id", i}, {"do", "log"}});
    for (int i = 0; i < 60; ++i) {
        const auto answer = eager.receiveAnswer();
        ASSERT_TRUE(answer);
        EXPECT_EQ(Json::parse(answer->payload)["id"], i);
    }
}

TEST_F(StudioServerTest, SlowHeadersAreNotWaitedFor) {
    start({.mostConnections = 20, .headerTime = std::chrono::milliseconds(300)});
    std::vector<RawSocket> slow;
    for (int i = 0; i < 10; ++i) {
        slow.emplace_back(port());
        slow.back().send("GET / HTTP/1.1\r\nHost: ");
    }
    expectAlive();  // meanwhile
    for (RawSocket& socket : slow) EXPECT_TRUE(socket.closes());
    // more than there may be: those beyond are let go at once, the others in time
    slow.clear();
    for (int i = 0; i < 40; ++i) slow.emplace_back(port());
    for (RawSocket& socket : slow) EXPECT_TRUE(socket.closes());
    expectAlive();
}

TEST_F(StudioServerTest, SocketsAreLimited) {
    start({.mostSockets = 3});
    std::vector<std::unique_ptr<WebSocketClient>> open;
    for (int i = 0; i < 3; ++i) {
        open.push_back(std::make_unique<WebSocketClient>(port(), token()));
        EXPECT_EQ(open.back()->status(), 101);
    }
    EXPECT_EQ(client().status(), 503);
    open.front()->sendFrame(WebSocketClient::kClose, std::string("\x03\xe8", 2));
    EXPECT_TRUE(open.front()->socket().closes());
    open.erase(open.begin());
    // the place is free when the server has seen it
    int status = 0;
    for (int i = 0; i < 1000 && status != 101; ++i) status = client().status();
    EXPECT_EQ(status, 101);
}

size_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    size_t all = 0, resident = 0;
    in >> all >> resident;
    return resident * 4096;
}

TEST_F(StudioServerTest, WhoDoesNotReadSlowsNobodyAndCostsNothing) {
    start();
    WebSocketClient watching = client(), asleep = client();
    ASSERT_TRUE(watching.ask({{"do", "run"}, {"frames", 3000}, {"pace", "fast"}})["ok"].get<bool>());
    size_t before = 0;
    uint64_t next = 0, notices = 0, id = 0;
    bool done = false;
    while (!done) {
        const auto frame = watching.receive();
        ASSERT_TRUE(frame);
        if (frame->opcode != WebSocketClient::kText) continue;
        const Json message = Json::parse(frame->payload);
        if (!message.contains("status")) continue;
        ++notices;
        const Json& take = message["status"]["take"];
        id = take["id"];
        // the sleeper asks for all there is, again and again, and takes nothing; it is stopped, not the run
        if (next < 40 && take["last"] > 10) {
            asleep.send({{"id", next}, {"do", "frames"}, {"take", id}, {"from", 0}, {"to", 100000}}, 0);
            ++next;
        }
        if (before == 0 && take["last"] > 800) before = residentBytes();
        done = take["state"] == "done";
    }
    EXPECT_LT(notices, 3000u);  // the latest wins
    EXPECT_GT(notices, 1u);
    EXPECT_LT(residentBytes(), before + (size_t{32} << 20));
    watching.send({{"do", "frames"}, {"take", id}, {"from", 2990}, {"to", 3000}});
    const auto last = watching.receiveAnswer();
    ASSERT_TRUE(last && last->opcode == WebSocketClient::kBinary);
    expectAlive();
}

TEST_F(StudioServerTest, ClosingTheTabLosesNothing) {
    start();
    {
        WebSocketClient browser = client();
        browser.ask({{"do", "edit"},
                     {"label", "Longer"},
                     {"patch", Json::array({{{"op", "replace"}, {"path", "/world/frames"}, {"value", 60}}})}});
        browser.ask({{"do", "run"}, {"pace", "fast"}});
    }  // gone without a word
    WebSocketClient browser = client();
    for (;;) {
        const auto frame = browser.receive();
        ASSERT_TRUE(frame);
        const Json message = Json::parse(frame->payload);
        if (message.contains("status") && message["status"]["take"]["state"] == "done") {
            EXPECT_EQ(message["status"]["take"]["last"], 60);
            EXPECT_EQ(message["status"]["document"]["undo"], "Longer");
            break;
        }
    }
}

TEST_F(StudioServerTest, APortThatIsTakenIsTold) {
    start();
    EXPECT_THROW(Server(studioSession(), {.port = port(), .token = "x"}), std::exception);
}

TEST(StudioToken, IsLongAndEachIsAnother) {
    const std::string token = studio::newToken();
    EXPECT_GE(token.size(), 32u);
    EXPECT_NE(token, studio::newToken());
    EXPECT_TRUE(studio::equalTokens(token, token));
    EXPECT_FALSE(studio::equalTokens(token.substr(1), token));
    EXPECT_FALSE(studio::equalTokens(token + "x", token));
    EXPECT_FALSE(studio::equalTokens("", token));
}

}  // namespace
}  // namespace sunder::tests
