#include "bench/peers/sparse_solvers.h"

#ifdef SUNDER_PEER_CHOLMOD
#include <suitesparse/cholmod.h>

#include "base/stopwatch.h"
#endif

namespace sunder::bench {

#ifdef SUNDER_PEER_CHOLMOD

std::optional<PeerTimes> cholmodDirect(const PeerSystem& system) {
    cholmod_common common;
    cholmod_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    PeerSystem copy = system;  // the interface takes no const
    cholmod_sparse matrix{};
    matrix.nrow = matrix.ncol = system.right.size();
    matrix.nzmax = system.value.size();
    matrix.p = copy.first.data();
    matrix.i = copy.row.data();
    matrix.x = copy.value.data();
    matrix.stype = -1;
    matrix.itype = CHOLMOD_INT;
    matrix.xtype = CHOLMOD_REAL;
    matrix.dtype = CHOLMOD_DOUBLE;
    matrix.sorted = matrix.packed = 1;
    cholmod_dense right{};
    right.nrow = right.d = right.nzmax = system.right.size();
    right.ncol = 1;
    right.x = copy.right.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;

    PeerTimes times;
    Stopwatch watch;
    cholmod_factor* factor = cholmod_analyze(&matrix, &common);
    cholmod_factorize(&matrix, factor, &common);
    times.factor = watch.wallSeconds();
    watch = {};
    cholmod_dense* answer = cholmod_solve(CHOLMOD_A, factor, &right, &common);
    times.solve = watch.wallSeconds();
    const double* values = static_cast<const double*>(answer->x);
    times.answer.assign(values, values + system.right.size());
    cholmod_free_dense(&answer, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
    return times;
}

#else

std::optional<PeerTimes> cholmodDirect(const PeerSystem&) { return std::nullopt; }

#endif

}  // namespace sunder::bench
