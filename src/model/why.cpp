#include "model/why.hpp"

namespace muster {

std::string_view name_of(Reason reason) {
  switch (reason) {
    case Reason::Held: return "Held";
    case Reason::NotBefore: return "NotBefore";
    case Reason::BackingOff: return "BackingOff";
    case Reason::DependencyFailed: return "DependencyFailed";
    case Reason::Dependency: return "Dependency";
    case Reason::Gang: return "Gang";
    case Reason::NeverFits: return "NeverFits";
    case Reason::Draining: return "Draining";
    case Reason::Unhealthy: return "Unhealthy";
    case Reason::UserLimit: return "UserLimit";
    case Reason::QueueLimit: return "QueueLimit";
    case Reason::Topology: return "Topology";
    case Reason::Capacity: return "Capacity";
    case Reason::Fragmentation: return "Fragmentation";
    case Reason::GpuType: return "GpuType";
    case Reason::Reserved: return "Reserved";
    case Reason::QueueShare: return "QueueShare";
    case Reason::Ahead: return "Ahead";
    case Reason::Budget: return "Budget";
    case Reason::Fits: return "Fits";
    case Reason::Preempts: return "Preempts";
    case Reason::Reclaims: return "Reclaims";
    case Reason::Yields: return "Yields";
    case Reason::MadeRoom: return "MadeRoom";
    case Reason::NodeLost: return "NodeLost";
    case Reason::TimeLimit: return "TimeLimit";
    case Reason::OwnFailure: return "OwnFailure";
    case Reason::LaunchFailed: return "LaunchFailed";
    case Reason::ByUser: return "ByUser";
    case Reason::OverAllowance: return "OverAllowance";
    case Reason::ExperimentOver: return "ExperimentOver";
    case Reason::EarlyStop: return "EarlyStop";
    case Reason::GrowsIntoFree: return "GrowsIntoFree";
    case Reason::Preempted: return "Preempted";
  }
  return "?";
}

}  // namespace muster
