#pragma once

inline int linesOfTheStranger() { return 3; }
