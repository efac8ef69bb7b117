#pragma once

#include <span>
#include <vector>

#include "geometry/tet/tet_mesh.h"

namespace sunder {

/// A cut through a tet: the linear function with these values at its corners; the cut is where it is 0.
using TetCut = Vec4;

/// Tets that cracks run through. A tet that is cut becomes two copies, one for the material on either side; each has
/// all four corners, real ones on its side and virtual ones beyond the cut (the virtual node algorithm [molino2004]).
/// Copies that meet in material share corners, so a crack that ends inside leaves the mesh in one piece round its
/// front, and what is cut off falls apart into components.
struct CrackedTets {
    /// Two copies that share a face and meet there in material: corners of the first, and the same ones in the second.
    /// At a crack's front one copy may meet two others in one face.
    struct Joint {
        TetIndex first{}, second{};                                          // copies
        std::array<uint8_t, 3> inFirst{}, inSecond{};                        // corners, 0 to 3, in the same order
        uint32_t nextOfFirst = kInvalidIndex, nextOfSecond = kInvalidIndex;  // other joints of these: see forJointsOf()
    };

    TetMesh mesh;                                       // the copies
    IndexedVector<TetIndex, TetIndex> wholeTet;         // which tet of the uncut mesh each is a copy of
    IndexedVector<NodeIndex, NodeIndex> wholeNode;      // and each node
    IndexedVector<TetIndex, std::vector<TetCut>> cuts;  // a copy's material is where all of these are positive
    IndexedVector<TetIndex, double> filled;             // share of it that is material; of a tet's copies they sum to 1
    std::vector<Joint> joints;                          // in no order: see forJointsOf()
    IndexedVector<TetIndex, uint32_t> firstJoint;       // into joints; kInvalidIndex: it hangs on nothing
};

/// Without a crack. The first nodes are those of the mesh; where tets share one but do not hang together by faces, one
/// part has it and the others get copies.
CrackedTets uncracked(const TetMesh& mesh);

/// What one more crack added behind the tets and nodes there were: copies of these, in this order. All that there was
/// keeps its number; of a tet that was cut that is the copy on the positive side.
struct CrackedFurther {
    std::vector<TetIndex> tets;    // what each new tet is the other copy of
    std::vector<NodeIndex> nodes;  // what each new node is a copy of
};

/// One more crack: the surface where `side` (by node) is 0, in the tets that are marked. It is linear in each tet; no
/// node of a marked tet may have 0. A tet whose material lies on one side alone is not cut.
CrackedFurther crack(CrackedTets& tets, const IndexedVector<NodeIndex, double>& side,
                     const IndexedVector<TetIndex, uint8_t>& marked);

/// Values of what there was, for what a crack added too.
template <class Index, class T>
void carryOver(IndexedVector<Index, T>& values, const std::vector<Index>& added) {
    for (const Index from : added) values.push_back(values[from]);
}

/// Calls work(corners of the face in tet `t`, the other tet, corners in that).
template <class Work>
void forJointsOf(const CrackedTets& tets, TetIndex t, const Work& work) {
    for (uint32_t j = tets.firstJoint[t]; j != kInvalidIndex;) {
        const CrackedTets::Joint& joint = tets.joints[j];
        const bool isFirst = joint.first == t;
        work(isFirst ? joint.inFirst : joint.inSecond, isFirst ? joint.second : joint.first,
             isFirst ? joint.inSecond : joint.inFirst);
        j = isFirst ? joint.nextOfFirst : joint.nextOfSecond;
    }
}

/// The copies that each tet of the uncut mesh has come to, ascending.
class CopiesOfTets {
public:
    /// `wholeCount`: how many tets the uncut mesh has.
    CopiesOfTets(const CrackedTets& tets, size_t wholeCount);
    /// Valid as long as this lives.
    std::span<const TetIndex> of(TetIndex whole) const {
        return std::span(copies_).subspan(first_[raw(whole)], first_[raw(whole) + 1] - first_[raw(whole)]);
    }

private:
    std::vector<uint32_t> first_;  // copies of tet t: copies_[first_[t] .. first_[t + 1])
    std::vector<TetIndex> copies_;
};

/// Which copies hang together by faces with material on them: numbered from 0 in order of their first copy.
struct TetComponents {
    IndexedVector<TetIndex, uint32_t> of;  // which one each copy is in
    uint32_t count = 0;                    // of components
};
/// Time is linear in copies and joints.
TetComponents componentsOf(const CrackedTets& tets);

/// The part of the unit tet where all cuts are positive, as a share of its volume.
double filledShare(std::span<const TetCut> cuts);

}  // namespace sunder
