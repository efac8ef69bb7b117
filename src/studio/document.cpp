#include "studio/document.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/assert.h"
#include "schema/json_text.h"

namespace sunder::studio {

namespace {

bool sameKeys(const Json& a, const Json& b) {
    if (a.size() != b.size()) return false;
    for (auto left = a.begin(), right = b.begin(); left != a.end(); ++left, ++right)
        if (left.key() != right.key()) return false;
    return true;
}

/// Equal, and keys in the same order.
bool identical(const Json& a, const Json& b) {
    if (a.type() != b.type()) return a == b;
    if (a.is_object() && !sameKeys(a, b)) return false;
    if (!a.is_structured()) return a == b;
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), identical);
}

/// How large a value is as text, about, and how deep. Not for values that may be deeper than the stack: what comes from
/// a message or a file has been limited by parseJson().
struct Extent {
    size_t bytes = 0, depth = 0;
};
Extent extentOf(const Json& json) {
    constexpr size_t kNumber = 8, kMarks = 4;  // of text: a usual number; quotes, colon and comma
    if (json.is_string()) return {json.get_ref<const std::string&>().size() + kMarks, 0};
    if (!json.is_structured()) return {kNumber, 0};
    Extent extent{.bytes = kMarks, .depth = 0};
    for (const auto& item : json.items()) {
        const Extent inner = extentOf(item.value());
        extent.bytes += inner.bytes + (json.is_object() ? item.key().size() + kMarks : 0);
        extent.depth = std::max(extent.depth, inner.depth);
    }
    ++extent.depth;
    return extent;
}

/// How deep a pointer leads.
size_t depthOf(const std::string& pointer) { return static_cast<size_t>(std::ranges::count(pointer, '/')); }

/// What stands at a place that an operation names; null: nothing, which patching tells.
const Json* namedBy(const Json& step, const char* key, const Json& document) {
    if (!step.contains(key) || !step[key].is_string()) return nullptr;
    const Json::json_pointer place(step[key].get<std::string>());
    return document.contains(place) ? &document.at(place) : nullptr;
}

/// Operations can double what is there, so each is looked at before it is done: no scene that a file may not have is
/// made, not even on the way to another one. `bytes`: of the document, kept up with what the operation does.
void checkGrowth(const Json& step, const Json& document, size_t& bytes) {
    const auto bytesAt = [&](const Json* value) { return value == nullptr ? 0 : extentOf(*value).bytes; };
    const std::string op = step.is_object() && step.contains("op") && step["op"].is_string() ? step["op"] : "";
    // what goes
    const bool takesAway = op == "remove" || op == "replace";
    bytes -= std::min(bytes, takesAway ? bytesAt(namedBy(step, "path", document)) : 0);
    // what comes, and where to
    const bool isCopy = op == "copy" || op == "move";
    const bool isGiven = (op == "add" || op == "replace") && step.contains("value");
    const Json* brought = isCopy ? namedBy(step, "from", document) : isGiven ? &step["value"] : nullptr;
    if (brought == nullptr || !step.contains("path") || !step["path"].is_string()) return;
    const Extent extent = extentOf(*brought);
    bytes += op == "move" ? 0 : extent.bytes;
    if (depthOf(step["path"].get<std::string>()) + extent.depth > Document::kMostDepth)
        throw EditError(fmt::format("the change would nest the scene more than {} deep", Document::kMostDepth), {});
    if (bytes > Document::kMostDocumentBytes)
        throw EditError(fmt::format("the change would make the scene larger than {} MB; use arrays, instances and "
                                    "mesh files for what there is many of",
                                    Document::kMostDocumentBytes >> 20),
                        {});
}

/// At most so many bytes, and whole characters.
std::string cut(const std::string& text, size_t most) {
    if (text.size() <= most) return text;
    size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return text.substr(0, end) + "…";
}

Json patched(const Json& document, const Json& patch) {
    try {
        Json after = document;
        size_t bytes = extentOf(document).bytes;
        for (const Json& step : patch) {
            checkGrowth(step, after, bytes);
            after.patch_inplace(Json::array({step}));
        }
        return after;
    } catch (const Json::exception& error) {
        std::string why = error.what();  // "[json.exception.out_of_range.403] key 'x' not found"
        if (const size_t end = why.find("] "); end != std::string::npos) why = why.substr(end + 2);
        throw EditError("the change does not fit the scene as it is now: " + why, {});
    }
}

}  // namespace

Document::Document(Examine examine, Clock clock) : examine_(std::move(examine)), clock_(std::move(clock)) {
    replace(Json::object());
}

void Document::become(Json document, ExaminedScene examined, uint64_t state) {
    ASSERT(state <= lastState_);
    json_ = std::move(document);
    examined_ = std::move(examined);
    state_ = state;
    ++version_;
}

void Document::replace(Json document) {
    ExaminedScene examined = examine_(document);
    done_.clear();
    undone_.clear();
    become(std::move(document), std::move(examined), ++lastState_);
    markSaved();
}

void Document::examineAgain() { become(json_, examine_(json_), state_); }

void Document::findChanges(const Json& before, const Json& after, const Json::json_pointer& place,
                           std::vector<Change>& changes) {
    if (identical(before, after)) return;
    if (before.is_object() && after.is_object() && sameKeys(before, after)) {
        for (const auto& item : before.items())
            findChanges(item.value(), after.at(item.key()), place / item.key(), changes);
    } else if (before.is_array() && after.is_array() && before.size() == after.size()) {
        for (size_t i = 0; i < before.size(); ++i) findChanges(before[i], after[i], place / i, changes);
    } else {
        changes.push_back({place, before, after});
    }
}

size_t Document::sizeOf(const Step& step) {
    size_t bytes = sizeof(Step) + step.label.size() + step.merge.size();
    for (const Change& change : step.changes)
        bytes += sizeof(Change) + textOf(change.before).size() + textOf(change.after).size();
    return bytes;
}

/// Errors that were there before may stay: who opens a bad file mends it bit by bit. They are known by what they say,
/// since their places move when something is put before them.
void Document::checkPatched(const ExaminedScene& after) const {
    std::map<std::string, int> known;
    for (const schema::Issue& issue : examined_.issues) ++known[issue.message];
    std::vector<schema::Issue> fresh;
    for (const schema::Issue& issue : after.issues)
        if (issue.severity == schema::Issue::Severity::Error && --known[issue.message] < 0) fresh.push_back(issue);
    if (fresh.empty()) return;
    const schema::Issue& first = fresh.front();
    throw EditError(first.pointer.empty() ? first.message : first.pointer + ": " + first.message, fresh);
}

bool Document::continues(const Edit& edit) const {
    if (edit.merge.empty() || done_.empty() || !undone_.empty() || saved()) return false;
    const Step& last = done_.back();
    const bool isGesture = edit.merge.find('#') != std::string::npos;  // one drag, however long it takes
    return last.merge == edit.merge && (isGesture || clock_() - last.time < kMergeWithin);
}

void Document::edit(const Edit& edit) {
    // an edit made for another version would land at the wrong place
    if (edit.version && *edit.version != version_)
        throw EditError(fmt::format("the scene has changed meanwhile (version {}, the change was made for {}); try "
                                    "again",
                                    version_, *edit.version),
                        {});
    if (edit.merge.size() > kMostMerge)
        throw EditError(fmt::format("merge: must have at most {} bytes, found {}", kMostMerge, edit.merge.size()), {});
    // nothing changes unless the whole patch applies
    Json after = patched(json_, edit.patch);
    ExaminedScene examined = examine_(after);
    if (!edit.mayBringErrors) checkPatched(examined);

    // a continued gesture, such as a drag, is one step: taken from where it began
    Step step{
        .label = cut(edit.label, kMostLabel), .merge = edit.merge, .time = clock_(), .changes = {}, .before = state_};
    Json before = json_;
    if (continues(edit)) {
        for (const Change& change : done_.back().changes) before.at(change.place) = change.before;
        step.before = done_.back().before;
        done_.pop_back();
    }
    // what differs is what undo needs; a step without effect leaves no trace
    findChanges(before, after, Json::json_pointer(), step.changes);
    become(std::move(after), std::move(examined), ++lastState_);
    step.after = state_;
    step.bytes = sizeOf(step);
    if (step.changes.empty()) {
        state_ = step.before;  // it is as it was
        return;
    }
    // a new step ends what could be redone
    undone_.clear();
    done_.push_back(std::move(step));
    forgetOldest();
}

void Document::forgetOldest() {
    size_t bytes = 0;
    for (const Step& step : done_) bytes += step.bytes;
    while (done_.size() > 1 && (done_.size() > kMostSteps || bytes > kMostBytes)) {
        bytes -= done_.front().bytes;
        done_.pop_front();
    }
}

bool Document::undo() {
    if (done_.empty()) return false;
    Json before = json_;
    for (const Change& change : done_.back().changes) before.at(change.place) = change.before;
    ExaminedScene examined = examine_(before);
    become(std::move(before), std::move(examined), done_.back().before);
    done_.back().merge.clear();  // what is done again is not continued
    undone_.push_back(std::move(done_.back()));
    done_.pop_back();
    return true;
}

bool Document::redo() {
    if (undone_.empty()) return false;
    Json after = json_;
    for (const Change& change : undone_.back().changes) after.at(change.place) = change.after;
    ExaminedScene examined = examine_(after);
    become(std::move(after), std::move(examined), undone_.back().after);
    done_.push_back(std::move(undone_.back()));
    undone_.pop_back();
    return true;
}

std::string Document::text() const { return schema::printedJson(json_); }

std::optional<std::string> Document::undoLabel() const {
    return done_.empty() ? std::nullopt : std::optional(done_.back().label);
}
std::optional<std::string> Document::redoLabel() const {
    return undone_.empty() ? std::nullopt : std::optional(undone_.back().label);
}

size_t Document::editsSinceSaved() const {
    if (saved()) return 0;
    size_t edits = 0;
    for (auto step = done_.rbegin(); step != done_.rend() && step->after != savedState_; ++step) ++edits;
    return std::max<size_t>(1, edits);
}

Json emptyScene() { return {{"version", scene::kSceneVersion}, {"floor", Json::object()}, {"bodies", Json::array()}}; }

Json issuesJson(const std::vector<schema::Issue>& issues) {
    Json list = Json::array();
    for (const schema::Issue& issue : issues) {
        const bool warning = issue.severity == schema::Issue::Severity::Warning;
        list.push_back({{"pointer", issue.pointer},
                        {"message", issue.message},
                        {"found", issue.found},
                        {"allowed", issue.allowed},
                        {"severity", warning ? "warning" : "error"}});
    }
    return list;
}

}  // namespace sunder::studio
