// Standard Workload Format logs (Chapin and others, JSSPP 1999): 18 numbers a line, -1 = unknown, comment
// lines "; Key: value".
//
//  1 job  2 submit  3 wait  4 run  5 processors  6 cpu time  7 memory  8 processors asked  9 time asked
// 10 memory asked  11 status  12 user  13 group  14 program  15 queue  16 partition  17 preceding  18 think
//
// Status: 0 failed, 1 completed, 5 cancelled; 2-4 are parts of a job whose whole stands on its own line,
// and are skipped. MetaCentrum's variant has three more fields: {node per processor}, queue name,
// "nodes:ppn=N:properties"; the first two numbers of the last give the shape of the job, the properties
// name that site's machines and are left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "trace/workload.hpp"

namespace muster {

/// What field 10 means. The standard says KiB per processor; MetaCentrum's logs hold bytes of the whole
/// job (their 64-processor jobs and their default of 400 MiB make sense in no other reading), which the
/// format does not announce: `Standard` therefore reads it from 18-field lines only.
enum class SwfMemory : std::uint8_t { Standard, BytesPerJob, Ignore };

Result<Workload> read_swf(std::string_view bytes, const std::string& file, const ReadOptions& options = {},
                          SwfMemory memory = SwfMemory::Standard);

}  // namespace muster
