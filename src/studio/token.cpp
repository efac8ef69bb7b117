#include "studio/token.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <sys/random.h>

#include "base/base64.h"

namespace sunder::studio {

std::string newToken() {
    std::array<char, 24> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error("the system gives no random numbers for a token");
    std::string token = encodeBase64({bytes.data(), bytes.size()});  // 24 bytes need no padding
    std::ranges::replace(token, '+', '-');
    std::ranges::replace(token, '/', '_');
    return token;
}

bool equalTokens(std::string_view given, std::string_view token) {
    unsigned difference = given.size() == token.size() ? 0 : 1;
    for (size_t i = 0; i < token.size(); ++i) {
        const char other = i < given.size() ? given[i] : '\0';
        difference |= static_cast<unsigned char>(token[i] ^ other);
    }
    return difference == 0;
}

}  // namespace sunder::studio
