// dtCrowd behind a few C functions, on the mesh of the path shim.

#include <memory>

#include "DetourCrowd.h"
#include "DetourNavMesh.h"
#include "DetourNavMeshQuery.h"

extern "C" dtNavMesh* shim_detour_mesh(void* planner);

namespace {

const float agent_height = 2.0f;
const float acceleration = 8.0f;
const float range = 2.0f;

struct Freed {
    void operator()(dtCrowd* crowd) const { dtFreeCrowd(crowd); }
};
using Crowd = std::unique_ptr<dtCrowd, Freed>;

struct Quality {
    unsigned char divisions, rings, depth;
};
const Quality qualities[4] = {{5, 2, 1}, {5, 2, 2}, {7, 2, 3}, {7, 3, 3}};

void set_quality(dtCrowd& crowd, int quality) {
    dtObstacleAvoidanceParams params = *crowd.getObstacleAvoidanceParams(0);
    params.velBias = 0.5f;
    params.adaptiveDivs = qualities[quality].divisions;
    params.adaptiveRings = qualities[quality].rings;
    params.adaptiveDepth = qualities[quality].depth;
    crowd.setObstacleAvoidanceParams(0, &params);
}

}

extern "C" {

/// A crowd for at most so many agents; null where dtCrowd refuses. The planner must outlive it.
void* shim_crowd_new(void* planner, int most_agents, float radius, int quality) {
    Crowd crowd(dtAllocCrowd());
    if (!crowd || !crowd->init(most_agents, radius, shim_detour_mesh(planner))) return nullptr;
    set_quality(*crowd, quality & 3);
    return crowd.release();
}

void shim_crowd_free(void* crowd) {
    dtFreeCrowd(static_cast<dtCrowd*>(crowd));
}

/// Adds an agent with a goal; 0 where that fails.
int shim_crowd_add(void* untyped, const float* at, const float* goal, float radius, float speed) {
    dtCrowd& crowd = *static_cast<dtCrowd*>(untyped);
    dtCrowdAgentParams params = {};
    params.radius = radius;
    params.height = agent_height;
    params.maxAcceleration = acceleration;
    params.maxSpeed = speed;
    params.collisionQueryRange = range;
    params.pathOptimizationRange = radius * 30.0f;
    params.separationWeight = 2.0f;
    params.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OBSTACLE_AVOIDANCE | DT_CROWD_SEPARATION |
        DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO;
    const int index = crowd.addAgent(at, &params);
    if (index < 0) return 0;
    dtNavMeshQuery* query = const_cast<dtNavMeshQuery*>(crowd.getNavMeshQuery());
    dtPolyRef polygon = 0;
    float nearest[3];
    query->findNearestPoly(goal, crowd.getQueryHalfExtents(), crowd.getFilter(0), &polygon, nearest);
    return polygon && crowd.requestMoveTarget(index, polygon, nearest);
}

void shim_crowd_update(void* crowd, float dt) {
    static_cast<dtCrowd*>(crowd)->update(dt, nullptr);
}

}
