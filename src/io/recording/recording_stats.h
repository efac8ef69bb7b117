#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/recording/recording_reader.h"

namespace sunder {

/// What `sunder stats` tells.
struct RecordingStats {
    uint64_t frames = 0;                                    // without the start
    size_t breaks = 0;                                      // bodies that came apart
    size_t changes = 0;                                     // bodies that were cracked or dented, in one piece
    size_t bodiesAtStart = 0, bodiesAtEnd = 0, pieces = 0;  // pieces: fragments there at the end
    // the largest relative errors over all breaks
    double mass = 0, momentum = 0, angularMomentum = 0, volume = 0;
    double energyAtStart = 0, energyAtEnd = 0;  // J, mechanical
    /// What mechanical energy grew by in a frame without work being done on it, the most over all frames, by the
    /// largest kinetic energy of the run.
    double energyMaxGain = 0;
    double energyOfBreaking = 0;                         // J, taken from the motion
    size_t breaksFromStress = 0, changesFromStress = 0;  // those whose stress is known
    double stressRatioWorst = 0;                         // tension over strength, the most of them
    double strainEnergy = 0;                             // J, of all of them together
    double penetrationMean = 0, penetrationWorst = 0;    // m
    size_t openPieces = 0;
    size_t impacts = 0, releases = 0;             // recorded impacts; anchors that gave way
    double impactHardest = 0, impactFastest = 0;  // N s, m/s
    double secondsTotal = 0, secondsStep = 0, secondsFracture = 0, secondsMedianFrame = 0, secondsWorstFrame = 0;
    /// Frames and events with a figure that is no finite number. Sums and extremes leave it out, so they say less than
    /// they seem to.
    size_t framesNotFinite = 0, eventsNotFinite = 0;
    std::optional<uint64_t> firstNotFinite;  // frame
    std::string stateHash;
    std::vector<std::string> messages;
};

/// Throws InputError that names the frame whose figures are damaged.
/// Reads the figures of all frames and all events.
RecordingStats statsOf(const RecordingReader& recording);

}  // namespace sunder
