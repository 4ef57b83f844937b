// Recast's solo-mesh pipeline behind a few C functions.
//
// The order of the calls is that of Recast's own guide: mark, rasterise, filter, compact, regions (watershed),
// contours, polygons; then, in a call of its own, the detail mesh. Where the radius is 0, erosion is left out: it
// would only cost time.

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "recast_steps.h"

extern "C" {

/// Same layout as in recast_mesh.rs.
struct ShimCounts {
    int polygons;
    int portals;
    int components;
    double portal_length;
};

/// Polygons as Detour reads them, borrowed from the mesh. Same layout as in recast_mesh.rs.
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

/// What the other side holds. The compact heights are kept only for a detail mesh to come.
struct Mesh {
    Compact compact;
    Polygons polygons;
    Details details;
};

/// How long the edge between two vertices of the mesh is in the plane, in metres.
double edge_length(const rcPolyMesh& mesh, unsigned short from, unsigned short to) {
    const double dx = static_cast<double>(mesh.verts[from * 3]) - mesh.verts[to * 3];
    const double dz = static_cast<double>(mesh.verts[from * 3 + 2]) - mesh.verts[to * 3 + 2];
    return std::sqrt(dx * dx + dz * dz) * mesh.cs;
}

int vertex_count_of(const unsigned short* polygon, int limit) {
    int count = 0;
    while (count < limit && polygon[count] != RC_MESH_NULL_IDX) ++count;
    return count;
}

/// Sets of polygons that portals connect.
int count_components(const rcPolyMesh& mesh) {
    std::vector<bool> seen(mesh.npolys, false);
    std::vector<int> open;
    int components = 0;
    for (int first = 0; first < mesh.npolys; ++first) {
        if (seen[first]) continue;
        components += 1;
        seen[first] = true;
        open.push_back(first);
        while (!open.empty()) {
            const unsigned short* neighbours = &mesh.polys[(open.back() * 2 + 1) * mesh.nvp];
            open.pop_back();
            for (int corner = 0; corner < mesh.nvp; ++corner) {
                const unsigned short neighbour = neighbours[corner];
                if (neighbour >= mesh.npolys || seen[neighbour]) continue;
                seen[neighbour] = true;
                open.push_back(neighbour);
            }
        }
    }
    return components;
}

}

extern "C" {

/// Builds the polygon mesh; null where a stage of Recast fails. `keep` leaves the compact heights in memory for
/// shim_recast_detail.
void* shim_recast_build(const ShimSettings* settings, const float* vertices, int vertex_count,
                        const int* triangles, int triangle_count, bool keep) {
    rcContext context(false);
    const rcConfig config = config_of(*settings, vertices, vertex_count);
    Heights heights = rasterise(context, config, vertices, vertex_count, triangles, triangle_count);
    if (!heights) return nullptr;
    filter(context, config, *heights);
    Compact compact = divide_into_regions(context, config, std::move(heights));
    if (!compact) return nullptr;
    Polygons polygons = polygons_of(context, config, *compact);
    if (!polygons) return nullptr;
    if (!keep) compact.reset();
    return new Mesh{std::move(compact), std::move(polygons), nullptr};
}

/// Adds the detail mesh to a mesh that was kept for it; false where Recast fails.
bool shim_recast_detail(void* built, const ShimSettings* settings) {
    Mesh& mesh = *static_cast<Mesh*>(built);
    rcContext context(false);
    Details details(rcAllocPolyMeshDetail());
    const bool done = mesh.compact && details &&
        rcBuildPolyMeshDetail(&context, *mesh.polygons, *mesh.compact,
                              settings->cell_size * settings->detail_distance,
                              settings->cell_height * settings->detail_error, *details);
    if (!done) return false;
    mesh.details = std::move(details);
    mesh.compact.reset();
    return true;
}

/// Counts polygons and the edges between two of them, each edge once.
ShimCounts shim_recast_counts(const void* built) {
    const rcPolyMesh& mesh = *static_cast<const Mesh*>(built)->polygons;
    ShimCounts counts = {mesh.npolys, 0, count_components(mesh), 0.0};
    for (int index = 0; index < mesh.npolys; ++index) {
        const unsigned short* polygon = &mesh.polys[index * mesh.nvp * 2];
        const int corners = vertex_count_of(polygon, mesh.nvp);
        for (int corner = 0; corner < corners; ++corner) {
            const unsigned short neighbour = polygon[mesh.nvp + corner];
            if (neighbour == RC_MESH_NULL_IDX || neighbour < index) continue;
            counts.portals += 1;
            counts.portal_length += edge_length(mesh, polygon[corner], polygon[(corner + 1) % corners]);
        }
    }
    return counts;
}

/// The polygons; they live as long as the mesh.
ShimPolygons shim_recast_polygons(const void* built) {
    const rcPolyMesh& mesh = *static_cast<const Mesh*>(built)->polygons;
    ShimPolygons polygons = {mesh.verts, mesh.nverts, mesh.polys, mesh.npolys, mesh.nvp, {}, {}, mesh.cs, mesh.ch};
    for (int axis = 0; axis < 3; ++axis) {
        polygons.low[axis] = mesh.bmin[axis];
        polygons.high[axis] = mesh.bmax[axis];
    }
    return polygons;
}

/// How many triangles the detail mesh has; 0 where there is none.
int shim_recast_detail_count(const void* built) {
    const Mesh& mesh = *static_cast<const Mesh*>(built);
    return mesh.details ? mesh.details->ntris : 0;
}

/// Writes the corners of all triangles of the detail mesh, nine numbers each.
void shim_recast_detail_triangles(const void* built, float* corners) {
    const Mesh& mesh = *static_cast<const Mesh*>(built);
    if (!mesh.details) return;
    const rcPolyMeshDetail& details = *mesh.details;
    for (int index = 0; index < details.nmeshes; ++index) {
        const unsigned int* piece = &details.meshes[index * 4];
        for (unsigned int triangle = 0; triangle < piece[3]; ++triangle) {
            const unsigned char* numbers = &details.tris[(piece[2] + triangle) * 4];
            for (int corner = 0; corner < 3; ++corner) {
                const float* vertex = &details.verts[(piece[0] + numbers[corner]) * 3];
                for (int axis = 0; axis < 3; ++axis) *corners++ = vertex[axis];
            }
        }
    }
}

void shim_recast_free(void* built) {
    delete static_cast<Mesh*>(built);
}

}
