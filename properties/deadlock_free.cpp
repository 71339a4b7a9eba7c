// Where work is left and somebody could do it, something can happen. The search decides this one:
// see checker/property.hpp; what counts as work is KafkaModel::work_is_left.
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

std::string explain(const KafkaModel&, const Cluster&) {
    return "A thread is up and work is left, but no step other than a disturbance or a retry that "
           "changes nothing is possible, and no bound forbade one.";
}

}  // namespace

Law deadlock_free() {
    return {.name = "deadlock_free",
            .sentence =
                "Where some thread is alive and work is left, a healing step is possible, "
                "unless a bound cut one.",
            .source = "Holzmann, The Spin Model Checker (invalid end states)",
            .kind = checker::PropertyKind::deadlock,
            .is_applicable = always,
            .explain_state = explain};
}

}  // namespace ringfence::properties
