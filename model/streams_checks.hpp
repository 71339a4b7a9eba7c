// What Kafka tests in a Streams configuration without any rule of the model coming of it.
#pragma once

#include "model/streams_properties.hpp"

namespace ringfence::model {

// Timeouts and intervals. Throws ConfigurationError.
void check_streams_timing(StreamsProperties& properties, bool is_exactly_once);

// Settings of the clients that Kafka Streams chooses itself. Throws ConfigurationError.
void check_fixed_values(StreamsProperties& properties, bool is_exactly_once);

}  // namespace ringfence::model
