// Detour's path query behind a few C functions: one tile, one query object, buffers that are used again.

#include <cstring>
#include <memory>
#include <vector>

#include "DetourNavMesh.h"
#include "DetourNavMeshBuilder.h"
#include "DetourNavMeshQuery.h"
#include "DetourNode.h"

extern "C" {

/// Same layout as in recast_mesh.rs. Polygons hold their corners, then the neighbours beyond their sides.
struct ShimPolygons {
    const unsigned short* vertices;
    int vertex_count;
    const unsigned short* polygons;
    int polygon_count;
    int most_corners;
    float low[3];
    float high[3];
    float cell_size;
    float cell_height;
};

}

namespace {

const int most_nodes = 65535;
const float agent_height = 2.0f;
// Points lie on the mesh: a small box finds the polygon with the least work.
const float half_extents[3] = {0.25f, 1.0f, 0.25f};

template <typename T, void (*Free)(T*)>
struct Freed {
    void operator()(T* owned) const { Free(owned); }
};

using NavMesh = std::unique_ptr<dtNavMesh, Freed<dtNavMesh, dtFreeNavMesh>>;
using Query = std::unique_ptr<dtNavMeshQuery, Freed<dtNavMeshQuery, dtFreeNavMeshQuery>>;

struct Planner {
    NavMesh mesh;
    Query query;
    dtQueryFilter filter;
    int tile_bytes = 0;
    std::vector<dtPolyRef> corridor;
    std::vector<float> corners;
    int corner_count = 0;
};

dtNavMeshCreateParams parameters_of(const ShimPolygons& input, float agent_climb,
                                    const std::vector<unsigned short>& flags,
                                    const std::vector<unsigned char>& areas) {
    dtNavMeshCreateParams parameters = {};
    parameters.verts = input.vertices;
    parameters.vertCount = input.vertex_count;
    parameters.polys = input.polygons;
    parameters.polyFlags = flags.data();
    parameters.polyAreas = areas.data();
    parameters.polyCount = input.polygon_count;
    parameters.nvp = input.most_corners;
    parameters.walkableHeight = agent_height;
    parameters.walkableClimb = agent_climb;
    parameters.cs = input.cell_size;
    parameters.ch = input.cell_height;
    parameters.buildBvTree = true;
    for (int axis = 0; axis < 3; ++axis) {
        parameters.bmin[axis] = input.low[axis];
        parameters.bmax[axis] = input.high[axis];
    }
    return parameters;
}

NavMesh mesh_of(const ShimPolygons& input, float agent_climb, int& tile_bytes) {
    const std::vector<unsigned short> flags(input.polygon_count, 1);
    const std::vector<unsigned char> areas(input.polygon_count, 0);
    dtNavMeshCreateParams parameters = parameters_of(input, agent_climb, flags, areas);
    unsigned char* data = nullptr;
    if (!dtCreateNavMeshData(&parameters, &data, &tile_bytes)) return nullptr;
    NavMesh mesh(dtAllocNavMesh());
    if (mesh && dtStatusSucceed(mesh->init(data, tile_bytes, DT_TILE_FREE_DATA))) return mesh;
    dtFree(data);
    return nullptr;
}

dtPolyRef locate(const Planner& planner, const float* point, float* nearest) {
    dtPolyRef polygon = 0;
    planner.query->findNearestPoly(point, half_extents, &planner.filter, &polygon, nearest);
    return polygon;
}

/// The polygons of the path; none where the search does not reach the goal.
int find_corridor(Planner& planner, dtPolyRef start, dtPolyRef goal, const float* from, const float* to) {
    int count = 0;
    const dtStatus status =
        planner.query->findPath(start, goal, from, to, &planner.filter, planner.corridor.data(), &count,
                                static_cast<int>(planner.corridor.size()));
    const bool reached = dtStatusSucceed(status) && !dtStatusDetail(status, DT_PARTIAL_RESULT);
    return reached ? count : 0;
}

}

extern "C" {

/// Builds mesh and query; null where Detour refuses.
void* shim_detour_build(const ShimPolygons* input, float agent_climb) {
    std::unique_ptr<Planner> planner(new Planner);
    planner->mesh = mesh_of(*input, agent_climb, planner->tile_bytes);
    planner->query.reset(dtAllocNavMeshQuery());
    const bool ready = planner->mesh && planner->query &&
        dtStatusSucceed(planner->query->init(planner->mesh.get(), most_nodes));
    if (!ready) return nullptr;
    planner->corridor.resize(input->polygon_count + 1);
    planner->corners.resize((input->polygon_count + 2) * 3);
    return planner.release();
}

/// Loads a set of one tile as RecastDemo saves it; null where Detour refuses.
void* shim_detour_load(const unsigned char* bytes, int length) {
    struct SetHeader {
        int magic;
        int version;
        int tile_count;
        dtNavMeshParams params;
    };
    struct TileHeader {
        dtTileRef reference;
        int size;
    };
    const int heads = sizeof(SetHeader) + sizeof(TileHeader);
    if (length < heads) return nullptr;
    SetHeader set;
    TileHeader tile;
    std::memcpy(&set, bytes, sizeof set);
    std::memcpy(&tile, bytes + sizeof set, sizeof tile);
    const int magic = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';
    if (set.magic != magic || set.version != 1 || set.tile_count != 1 || tile.size != length - heads) return nullptr;
    std::unique_ptr<Planner> planner(new Planner);
    planner->mesh.reset(dtAllocNavMesh());
    if (!planner->mesh || dtStatusFailed(planner->mesh->init(&set.params))) return nullptr;
    unsigned char* data = static_cast<unsigned char*>(dtAlloc(tile.size, DT_ALLOC_PERM));
    if (!data) return nullptr;
    std::memcpy(data, bytes + heads, tile.size);
    if (dtStatusFailed(planner->mesh->addTile(data, tile.size, DT_TILE_FREE_DATA, tile.reference, nullptr))) {
        dtFree(data);
        return nullptr;
    }
    planner->tile_bytes = tile.size;
    planner->query.reset(dtAllocNavMeshQuery());
    if (!planner->query || dtStatusFailed(planner->query->init(planner->mesh.get(), most_nodes))) return nullptr;
    planner->corridor.resize(set.params.maxPolys + 1);
    planner->corners.resize((set.params.maxPolys + 2) * 3);
    return planner.release();
}

void shim_detour_free(void* planner) {
    delete static_cast<Planner*>(planner);
}

/// The mesh, for a crowd on it.
dtNavMesh* shim_detour_mesh(void* planner) {
    return static_cast<Planner*>(planner)->mesh.get();
}

/// Whether a polygon is at the point, given as x, y, z.
int shim_detour_locate(const void* planner, const float* point) {
    float nearest[3];
    return locate(*static_cast<const Planner*>(planner), point, nearest) != 0;
}

/// The height of the ground at the point; zero where there is none.
int shim_detour_height(const void* untyped, const float* point, float* height) {
    const Planner& planner = *static_cast<const Planner*>(untyped);
    float nearest[3];
    const dtPolyRef polygon = locate(planner, point, nearest);
    return polygon && dtStatusSucceed(planner.query->getPolyHeight(polygon, point, height));
}

/// The whole question: both polygons, the corridor, the straight path. Says how many corners the path has.
int shim_detour_path(void* untyped, const float* start, const float* goal) {
    Planner& planner = *static_cast<Planner*>(untyped);
    planner.corner_count = 0;
    float from[3], to[3];
    const dtPolyRef first = locate(planner, start, from);
    const dtPolyRef last = locate(planner, goal, to);
    if (!first || !last) return 0;
    const int count = find_corridor(planner, first, last, from, to);
    if (count == 0) return 0;
    int corners = 0;
    planner.query->findStraightPath(from, to, planner.corridor.data(), count, planner.corners.data(), nullptr,
                                    nullptr, &corners, static_cast<int>(planner.corners.size() / 3));
    planner.corner_count = corners;
    return corners;
}

/// The corners of the last path, x, y, z each.
const float* shim_detour_corners(const void* planner) {
    return static_cast<const Planner*>(planner)->corners.data();
}

/// Polygons that the last search closed.
int shim_detour_expansions(const void* planner) {
    const dtNodePool& pool = *static_cast<const Planner*>(planner)->query->getNodePool();
    int closed = 0;
    for (int index = 1; index <= pool.getNodeCount(); ++index) {
        closed += (pool.getNodeAtIdx(index)->flags & DT_NODE_CLOSED) != 0;
    }
    return closed;
}

/// The bytes of the tile.
int shim_detour_memory(const void* planner) {
    return static_cast<const Planner*>(planner)->tile_bytes;
}

}
