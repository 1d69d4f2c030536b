// The fold of what happens to one job: submitted, started, stopped, finished, resized.
#pragma once

#include "core/state.hpp"

namespace muster {

void submit_job(State& state, const JobSpec& spec, Instant at);
void cancel_job(State& state, const JobCancelled& event, Instant at);
void hold_job(State& state, JobId id, Instant at);
void release_job(State& state, JobId id, Instant at);
void resize_job(State& state, const JobResized& event);
void confirm_start(State& state, const TaskStarted& event);
void launch_failed(State& state, const StartFailed& event, Instant at);
void task_exited(State& state, const TaskExited& event, Instant at);
void observe_service(State& state, const Observed& event);
void score_trial(State& state, const TrialScored& event);
void clean_attempt(State& state, JobId id, std::uint32_t attempt);

// ---- shared with apply_decision

Extra& extra_of(Job& job);
/// Seat workers; the job's attempt and times are the caller's business.
void seat_workers(State& state, JobId id, const Placement& seats, Instant at);
/// Take all seats away at once; with a clean-up time they stay booked as leaving.
void unseat_all(State& state, JobId id, Instant at);
/// Take the seats of some workers away, at once.
void unseat_workers(State& state, JobId id, const std::vector<std::uint32_t>& workers, Instant at);
/// End the running attempt and wait again.
void wait_again(State& state, JobId id, Instant at);
/// The job is over.
void finish_job(State& state, JobId id, JobState outcome, Instant at);
/// Keep seats for a waiting job; no seats = keep nothing.
void reserve_seats(State& state, JobId id, Placement seats);
/// Recompute the shape from what the job still needs.
void reshape(State& state, JobId id);

}  // namespace muster
