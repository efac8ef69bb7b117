#include "fracture/interface/context.h"

#include "base/log.h"

namespace sunder::fracture {

void Context::stage(const std::string& name) const {
    if (progress != nullptr) progress->note(body.empty() ? name : body + ": " + name);
    cancelPoint();
}

void Context::warn(const std::string& text) const {
    if (notes != nullptr) {
        notes->push_back(text);
    } else {
        logWarning("{}", text);
    }
}

}  // namespace sunder::fracture
