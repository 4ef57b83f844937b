// The stages of Recast's builder, in the order of its own guide, for shims that build whole meshes and tiles.

#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "Recast.h"

extern "C" {

/// Lengths in metres, the slope in degrees, regions in cells along one side. Same layout as in recast_mesh.rs.
struct ShimSettings {
    float cell_size;
    float cell_height;
    float agent_height;
    float agent_climb;
    float agent_radius;
    float slope_degrees;
    float region_min_size;
    float region_merge_size;
    float edge_length;
    float edge_error;
    int vertices_per_polygon;
    /// In cells.
    float detail_distance;
    /// In cell heights.
    float detail_error;
};

}

namespace {

template <typename T, void (*Free)(T*)>
struct Freed {
    void operator()(T* owned) const { Free(owned); }
};

using Heights = std::unique_ptr<rcHeightfield, Freed<rcHeightfield, rcFreeHeightField>>;
using Compact = std::unique_ptr<rcCompactHeightfield, Freed<rcCompactHeightfield, rcFreeCompactHeightfield>>;
using Contours = std::unique_ptr<rcContourSet, Freed<rcContourSet, rcFreeContourSet>>;
using Polygons = std::unique_ptr<rcPolyMesh, Freed<rcPolyMesh, rcFreePolyMesh>>;
using Details = std::unique_ptr<rcPolyMeshDetail, Freed<rcPolyMeshDetail, rcFreePolyMeshDetail>>;

/// The settings in Recast's own units, cells.
inline rcConfig config_of(const ShimSettings& settings, const float* vertices, int vertex_count) {
    rcConfig config = {};
    config.cs = settings.cell_size;
    config.ch = settings.cell_height;
    config.walkableSlopeAngle = settings.slope_degrees;
    config.walkableHeight = static_cast<int>(std::ceil(settings.agent_height / config.ch));
    config.walkableClimb = static_cast<int>(std::floor(settings.agent_climb / config.ch));
    config.walkableRadius = static_cast<int>(std::ceil(settings.agent_radius / config.cs));
    config.maxEdgeLen = static_cast<int>(settings.edge_length / config.cs);
    config.maxSimplificationError = settings.edge_error;
    config.minRegionArea = static_cast<int>(settings.region_min_size * settings.region_min_size);
    config.mergeRegionArea = static_cast<int>(settings.region_merge_size * settings.region_merge_size);
    config.maxVertsPerPoly = settings.vertices_per_polygon;
    rcCalcBounds(vertices, vertex_count, config.bmin, config.bmax);
    rcCalcGridSize(config.bmin, config.bmax, config.cs, &config.width, &config.height);
    return config;
}

inline Heights rasterise(rcContext& context, const rcConfig& config, const float* vertices, int vertex_count,
                         const int* triangles, int triangle_count) {
    std::vector<unsigned char> areas(triangle_count, 0);
    rcMarkWalkableTriangles(&context, config.walkableSlopeAngle, vertices, vertex_count, triangles,
                            triangle_count, areas.data());
    Heights heights(rcAllocHeightfield());
    const bool done = heights &&
        rcCreateHeightfield(&context, *heights, config.width, config.height, config.bmin, config.bmax,
                            config.cs, config.ch) &&
        rcRasterizeTriangles(&context, vertices, vertex_count, triangles, areas.data(), triangle_count,
                             *heights, config.walkableClimb);
    return done ? std::move(heights) : nullptr;
}

inline void filter(rcContext& context, const rcConfig& config, rcHeightfield& heights) {
    rcFilterLowHangingWalkableObstacles(&context, config.walkableClimb, heights);
    rcFilterLedgeSpans(&context, config.walkableHeight, config.walkableClimb, heights);
    rcFilterWalkableLowHeightSpans(&context, config.walkableHeight, heights);
}

/// The heights are freed as soon as the compact ones stand, as RecastDemo does.
inline Compact compacted(rcContext& context, const rcConfig& config, Heights heights) {
    Compact compact(rcAllocCompactHeightfield());
    const bool done = compact &&
        rcBuildCompactHeightfield(&context, config.walkableHeight, config.walkableClimb, *heights, *compact);
    heights.reset();
    const bool eroded = done &&
        (config.walkableRadius == 0 || rcErodeWalkableArea(&context, config.walkableRadius, *compact));
    return eroded ? std::move(compact) : nullptr;
}

inline Compact divide_into_regions(rcContext& context, const rcConfig& config, Heights heights) {
    Compact compact = compacted(context, config, std::move(heights));
    const bool done = compact && rcBuildDistanceField(&context, *compact) &&
        rcBuildRegions(&context, *compact, config.borderSize, config.minRegionArea, config.mergeRegionArea);
    return done ? std::move(compact) : nullptr;
}

inline Polygons polygons_of(rcContext& context, const rcConfig& config, const rcCompactHeightfield& compact) {
    Contours contours(rcAllocContourSet());
    Polygons polygons(rcAllocPolyMesh());
    const bool done = contours && polygons &&
        rcBuildContours(&context, compact, config.maxSimplificationError, config.maxEdgeLen, *contours) &&
        rcBuildPolyMesh(&context, *contours, config.maxVertsPerPoly, *polygons);
    return done ? std::move(polygons) : nullptr;
}

}
