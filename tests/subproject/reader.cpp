#include <sunder/io/recording/recording_reader.h>

uint64_t lastFrameOf(const char* path) { return sunder::RecordingReader(path).lastFrame(); }
