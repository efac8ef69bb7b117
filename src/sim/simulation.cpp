#include "sim/simulation.h"
