#include "fracture/interface/context.h"

#include <gtest/gtest.h>

namespace sunder::fracture {
namespace {

TEST(Context, StagesNameTheBody) {
    Progress progress;
    Context context{.progress = &progress};
    context.stage("filling with 5000 tets");
    EXPECT_EQ(progress.state().note, "filling with 5000 tets");
    context.body = "vase/p3";
    context.stage("stress, round 3 of 8, 23 cracks");
    EXPECT_EQ(progress.state().note, "vase/p3: stress, round 3 of 8, 23 cracks");
}

}  // namespace
}  // namespace sunder::fracture
