// Names from StreamsConfig, ConsumerConfig, ProducerConfig, AdminClientConfig and
// CommonClientConfigs of 0.11.0, 2.8.0 and 3.9.0, and of the source of 4.0.
#include "model/streams_keys.hpp"

#include "model/nearest_name.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ringfence::model {

namespace {

using namespace std::string_view_literals;

constexpr std::array streams_keys{"acceptable.recovery.lag"sv,
                                  "application.id"sv,
                                  "application.server"sv,
                                  "buffered.records.per.partition"sv,
                                  "built.in.metrics.version"sv,
                                  "cache.max.bytes.buffering"sv,
                                  "commit.interval.ms"sv,
                                  "default.client.supplier"sv,
                                  "default.deserialization.exception.handler"sv,
                                  "default.dsl.store"sv,
                                  "default.key.serde"sv,
                                  "default.production.exception.handler"sv,
                                  "default.timestamp.extractor"sv,
                                  "default.value.serde"sv,
                                  "default.windowed.key.serde.inner"sv,
                                  "default.windowed.value.serde.inner"sv,
                                  "deserialization.exception.handler"sv,
                                  "dsl.store.suppliers.class"sv,
                                  "key.serde"sv,
                                  "log.summary.interval.ms"sv,
                                  "max.task.idle.ms"sv,
                                  "max.warmup.replicas"sv,
                                  "num.standby.replicas"sv,
                                  "num.stream.threads"sv,
                                  "partition.grouper"sv,
                                  "poll.ms"sv,
                                  "probing.rebalance.interval.ms"sv,
                                  "processing.exception.handler"sv,
                                  "processing.guarantee"sv,
                                  "production.exception.handler"sv,
                                  "rack.aware.assignment.non_overlap_cost"sv,
                                  "rack.aware.assignment.strategy"sv,
                                  "rack.aware.assignment.tags"sv,
                                  "rack.aware.assignment.traffic_cost"sv,
                                  "repartition.purge.interval.ms"sv,
                                  "replication.factor"sv,
                                  "rocksdb.config.setter"sv,
                                  "state.cleanup.delay.ms"sv,
                                  "state.dir"sv,
                                  "statestore.cache.max.bytes"sv,
                                  "task.assignor.class"sv,
                                  "task.timeout.ms"sv,
                                  "timestamp.extractor"sv,
                                  "topology.optimization"sv,
                                  "upgrade.from"sv,
                                  "value.serde"sv,
                                  "window.size.ms"sv,
                                  "windowed.inner.class.serde"sv,
                                  "windowstore.changelog.additional.retention.ms"sv,
                                  "zookeeper.connect"sv};

constexpr std::array client_keys{"acks"sv,
                                 "allow.auto.create.topics"sv,
                                 "auto.commit.interval.ms"sv,
                                 "auto.include.jmx.reporter"sv,
                                 "auto.offset.reset"sv,
                                 "batch.size"sv,
                                 "bootstrap.controllers"sv,
                                 "bootstrap.servers"sv,
                                 "buffer.memory"sv,
                                 "check.crcs"sv,
                                 "client.dns.lookup"sv,
                                 "client.id"sv,
                                 "client.rack"sv,
                                 "compression.gzip.level"sv,
                                 "compression.lz4.level"sv,
                                 "compression.type"sv,
                                 "compression.zstd.level"sv,
                                 "config.providers"sv,
                                 "connections.max.idle.ms"sv,
                                 "default.api.timeout.ms"sv,
                                 "delivery.timeout.ms"sv,
                                 "enable.auto.commit"sv,
                                 "enable.idempotence"sv,
                                 "enable.metrics.push"sv,
                                 "exclude.internal.topics"sv,
                                 "fetch.max.bytes"sv,
                                 "fetch.max.wait.ms"sv,
                                 "fetch.min.bytes"sv,
                                 "group.id"sv,
                                 "group.instance.id"sv,
                                 "group.protocol"sv,
                                 "group.remote.assignor"sv,
                                 "heartbeat.interval.ms"sv,
                                 "interceptor.classes"sv,
                                 "isolation.level"sv,
                                 "key.deserializer"sv,
                                 "key.serializer"sv,
                                 "linger.ms"sv,
                                 "max.block.ms"sv,
                                 "max.in.flight.requests.per.connection"sv,
                                 "max.partition.fetch.bytes"sv,
                                 "max.poll.interval.ms"sv,
                                 "max.poll.records"sv,
                                 "max.request.size"sv,
                                 "metadata.max.age.ms"sv,
                                 "metadata.max.idle.ms"sv,
                                 "metadata.recovery.strategy"sv,
                                 "metric.reporters"sv,
                                 "metrics.num.samples"sv,
                                 "metrics.recording.level"sv,
                                 "metrics.sample.window.ms"sv,
                                 "partition.assignment.strategy"sv,
                                 "partitioner.adaptive.partitioning.enable"sv,
                                 "partitioner.availability.timeout.ms"sv,
                                 "partitioner.class"sv,
                                 "partitioner.ignore.keys"sv,
                                 "receive.buffer.bytes"sv,
                                 "reconnect.backoff.max.ms"sv,
                                 "reconnect.backoff.ms"sv,
                                 "request.timeout.ms"sv,
                                 "retries"sv,
                                 "retry.backoff.max.ms"sv,
                                 "retry.backoff.ms"sv,
                                 "security.protocol"sv,
                                 "security.providers"sv,
                                 "send.buffer.bytes"sv,
                                 "session.timeout.ms"sv,
                                 "socket.connection.setup.timeout.max.ms"sv,
                                 "socket.connection.setup.timeout.ms"sv,
                                 "transaction.timeout.ms"sv,
                                 "transactional.id"sv,
                                 "value.deserializer"sv,
                                 "value.serializer"sv};

constexpr std::array prefixes{"main.consumer."sv, "restore.consumer."sv, "global.consumer."sv,
                              "consumer."sv,      "producer."sv,         "admin."sv};

// Prefixes before names of which there is no end.
constexpr std::array open_prefixes{"topic."sv, "client.tag."sv, "sasl."sv, "ssl."sv};

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& keys, std::string_view key) {
    return std::ranges::find(keys, key) != keys.end();
}

bool is_open(std::string_view key) {
    return std::ranges::any_of(open_prefixes,
                               [key](std::string_view prefix) { return key.starts_with(prefix); });
}

}  // namespace

std::string_view prefix_of_key(std::string_view key) {
    const auto found = std::ranges::find_if(
        prefixes, [key](std::string_view prefix) { return key.starts_with(prefix); });
    return found == prefixes.end() ? std::string_view{} : *found;
}

KeyKind kind_of_key(std::string_view key) {
    if (contains(streams_keys, key)) { return KeyKind::streams; }
    const std::string_view name = key.substr(prefix_of_key(key).size());
    return contains(client_keys, name) || is_open(name) ? KeyKind::client : KeyKind::unknown;
}

std::string nearest_key(std::string_view key) {
    const std::string_view prefix = prefix_of_key(key);
    std::vector<std::string_view> known(client_keys.begin(), client_keys.end());
    if (prefix.empty()) { known.insert(known.end(), streams_keys.begin(), streams_keys.end()); }
    return std::string(prefix) + std::string(nearest_name(key.substr(prefix.size()), known));
}

}  // namespace ringfence::model
