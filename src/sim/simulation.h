#pragma once

#include "sim/simulation_setup.h"
