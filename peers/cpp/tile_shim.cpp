// Detour's two ways to change a mesh behind a few C functions: a tile built anew by Recast, and the tile cache with
// its temporary obstacles. Both hold the same square of tiles.

#include <cstring>
#include <memory>
#include <vector>

#include "DetourNavMesh.h"
#include "DetourNavMeshBuilder.h"
#include "DetourNavMeshQuery.h"
#include "DetourTileCache.h"
#include "DetourTileCacheBuilder.h"
#include "recast_steps.h"

namespace {

const int most_nodes = 65535;
const int most_obstacles = 128;
// RecastDemo's cache has tiles of at most so many layers.
const int most_layers = 32;
const float half_extents[3] = {0.5f, 2.0f, 0.5f};
const unsigned short walkable_flag = 1;

using NavMesh = std::unique_ptr<dtNavMesh, Freed<dtNavMesh, dtFreeNavMesh>>;
using Query = std::unique_ptr<dtNavMeshQuery, Freed<dtNavMeshQuery, dtFreeNavMeshQuery>>;
using Cache = std::unique_ptr<dtTileCache, Freed<dtTileCache, dtFreeTileCache>>;
using Layers = std::unique_ptr<rcHeightfieldLayerSet, Freed<rcHeightfieldLayerSet, rcFreeHeightfieldLayerSet>>;

/// A buffer that is emptied between builds, as RecastDemo's.
struct LinearAllocator : dtTileCacheAlloc {
    std::vector<unsigned char> buffer = std::vector<unsigned char>(1 << 20);
    size_t used = 0;

    void reset() override { used = 0; }

    void* alloc(const size_t size) override {
        const size_t padded = (size + 15) / 16 * 16;
        if (used + padded > buffer.size()) return nullptr;
        void* place = buffer.data() + used;
        used += padded;
        return place;
    }

    void free(void*) override {}
};

/// Layers are stored as they are: nothing is spent on compression.
struct NoCompressor : dtTileCacheCompressor {
    int maxCompressedSize(const int size) override { return size; }

    dtStatus compress(const unsigned char* from, const int size, unsigned char* to, const int, int* written) override {
        std::memcpy(to, from, size);
        *written = size;
        return DT_SUCCESS;
    }

    dtStatus decompress(const unsigned char* from, const int size, unsigned char* to, const int most, int* written) override {
        if (size > most) return DT_FAILURE;
        std::memcpy(to, from, size);
        *written = size;
        return DT_SUCCESS;
    }
};

struct AllWalkable : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams* parameters, unsigned char* areas, unsigned short* flags) override {
        for (int polygon = 0; polygon < parameters->polyCount; ++polygon) {
            areas[polygon] = 0;
            flags[polygon] = walkable_flag;
        }
    }
};

struct Tiles {
    ShimSettings settings;
    int tile_cells;
    float origin[3];
    float ceiling;
    NavMesh mesh;
    LinearAllocator allocator;
    NoCompressor compressor;
    AllWalkable process;
    Cache cache;
};

/// The settings of one tile: its square with a border around it, so that tiles fit.
rcConfig config_of_tile(const Tiles& tiles, int x, int z) {
    rcConfig config = config_of(tiles.settings, tiles.origin, 1);
    config.tileSize = tiles.tile_cells;
    config.borderSize = config.walkableRadius + 3;
    config.width = config.height = config.tileSize + config.borderSize * 2;
    const float side = config.tileSize * config.cs;
    const float border = config.borderSize * config.cs;
    const int place[3] = {x, 0, z};
    for (int axis = 0; axis < 3; axis += 2) {
        config.bmin[axis] = tiles.origin[axis] + place[axis] * side - border;
        config.bmax[axis] = tiles.origin[axis] + (place[axis] + 1) * side + border;
    }
    config.bmin[1] = tiles.origin[1];
    config.bmax[1] = tiles.ceiling;
    return config;
}

Heights filtered(rcContext& context, const rcConfig& config, const float* vertices, int vertex_count,
                 const int* triangles, int triangle_count) {
    Heights heights = rasterise(context, config, vertices, vertex_count, triangles, triangle_count);
    if (heights) filter(context, config, *heights);
    return heights;
}

/// Puts the polygons into the mesh in place of the tile that is there.
bool exchange(Tiles& tiles, const rcPolyMesh& polygons, int x, int z) {
    tiles.mesh->removeTile(tiles.mesh->getTileRefAt(x, z, 0), nullptr, nullptr);
    if (polygons.npolys == 0) return true;
    const std::vector<unsigned short> flags(polygons.npolys, walkable_flag);
    const std::vector<unsigned char> areas(polygons.npolys, 0);
    dtNavMeshCreateParams parameters = {};
    parameters.verts = polygons.verts;
    parameters.vertCount = polygons.nverts;
    parameters.polys = polygons.polys;
    parameters.polyFlags = flags.data();
    parameters.polyAreas = areas.data();
    parameters.polyCount = polygons.npolys;
    parameters.nvp = polygons.nvp;
    parameters.walkableHeight = tiles.settings.agent_height;
    parameters.walkableRadius = tiles.settings.agent_radius;
    parameters.walkableClimb = tiles.settings.agent_climb;
    parameters.tileX = x;
    parameters.tileY = z;
    parameters.cs = polygons.cs;
    parameters.ch = polygons.ch;
    parameters.buildBvTree = true;
    for (int axis = 0; axis < 3; ++axis) {
        parameters.bmin[axis] = polygons.bmin[axis];
        parameters.bmax[axis] = polygons.bmax[axis];
    }
    unsigned char* data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&parameters, &data, &size)) return false;
    if (dtStatusSucceed(tiles.mesh->addTile(data, size, DT_TILE_FREE_DATA, 0, nullptr))) return true;
    dtFree(data);
    return false;
}

dtTileCacheLayerHeader header_of(const rcHeightfieldLayer& layer, int x, int z, int number) {
    dtTileCacheLayerHeader header = {};
    header.magic = DT_TILECACHE_MAGIC;
    header.version = DT_TILECACHE_VERSION;
    header.tx = x;
    header.ty = z;
    header.tlayer = number;
    std::memcpy(header.bmin, layer.bmin, sizeof header.bmin);
    std::memcpy(header.bmax, layer.bmax, sizeof header.bmax);
    header.hmin = static_cast<unsigned short>(layer.hmin);
    header.hmax = static_cast<unsigned short>(layer.hmax);
    header.width = static_cast<unsigned char>(layer.width);
    header.height = static_cast<unsigned char>(layer.height);
    header.minx = static_cast<unsigned char>(layer.minx);
    header.maxx = static_cast<unsigned char>(layer.maxx);
    header.miny = static_cast<unsigned char>(layer.miny);
    header.maxy = static_cast<unsigned char>(layer.maxy);
    return header;
}

}

extern "C" {

/// A square of tiles, empty; null where Detour refuses. The origin is the least corner of the ground.
void* shim_tiles_new(const ShimSettings* settings, int tile_cells, const float* origin, float ceiling, int most_tiles,
                     int most_polygons) {
    std::unique_ptr<Tiles> tiles(new Tiles);
    tiles->settings = *settings;
    tiles->tile_cells = tile_cells;
    std::memcpy(tiles->origin, origin, sizeof tiles->origin);
    tiles->ceiling = ceiling;
    dtNavMeshParams parameters = {};
    std::memcpy(parameters.orig, origin, sizeof parameters.orig);
    parameters.tileWidth = parameters.tileHeight = tile_cells * settings->cell_size;
    parameters.maxTiles = most_tiles;
    parameters.maxPolys = most_polygons;
    tiles->mesh.reset(dtAllocNavMesh());
    if (!tiles->mesh || dtStatusFailed(tiles->mesh->init(&parameters))) return nullptr;
    dtTileCacheParams cached = {};
    std::memcpy(cached.orig, origin, sizeof cached.orig);
    cached.cs = settings->cell_size;
    cached.ch = settings->cell_height;
    cached.width = cached.height = tile_cells;
    cached.walkableHeight = settings->agent_height;
    cached.walkableRadius = settings->agent_radius;
    cached.walkableClimb = settings->agent_climb;
    cached.maxSimplificationError = settings->edge_error;
    cached.maxTiles = most_tiles;
    cached.maxObstacles = most_obstacles;
    tiles->cache.reset(dtAllocTileCache());
    const bool ready = tiles->cache &&
        dtStatusSucceed(tiles->cache->init(&cached, &tiles->allocator, &tiles->compressor, &tiles->process));
    return ready ? tiles.release() : nullptr;
}

void shim_tiles_free(void* tiles) {
    delete static_cast<Tiles*>(tiles);
}

/// Builds a tile from triangles and puts it in place of the one that is there: heights to `addTile`.
bool shim_tiles_build(void* untyped, int x, int z, const float* vertices, int vertex_count, const int* triangles,
                      int triangle_count) {
    Tiles& tiles = *static_cast<Tiles*>(untyped);
    rcContext context(false);
    const rcConfig config = config_of_tile(tiles, x, z);
    Heights heights = filtered(context, config, vertices, vertex_count, triangles, triangle_count);
    if (!heights) return false;
    Compact compact = divide_into_regions(context, config, std::move(heights));
    if (!compact) return false;
    const Polygons polygons = polygons_of(context, config, *compact);
    return polygons && exchange(tiles, *polygons, x, z);
}

/// Puts the layers of a tile into the cache, and their polygons into the mesh.
bool shim_tiles_cache(void* untyped, int x, int z, const float* vertices, int vertex_count, const int* triangles,
                      int triangle_count) {
    Tiles& tiles = *static_cast<Tiles*>(untyped);
    rcContext context(false);
    const rcConfig config = config_of_tile(tiles, x, z);
    Heights heights = filtered(context, config, vertices, vertex_count, triangles, triangle_count);
    if (!heights) return false;
    const Compact compact = compacted(context, config, std::move(heights));
    const Layers layers(rcAllocHeightfieldLayerSet());
    const bool layered = compact && layers &&
        rcBuildHeightfieldLayers(&context, *compact, config.borderSize, config.walkableHeight, *layers);
    if (!layered || layers->nlayers > most_layers) return false;
    for (int number = 0; number < layers->nlayers; ++number) {
        const rcHeightfieldLayer& layer = layers->layers[number];
        dtTileCacheLayerHeader header = header_of(layer, x, z, number);
        unsigned char* data = nullptr;
        int size = 0;
        const dtStatus status = dtBuildTileCacheLayer(&tiles.compressor, &header, layer.heights, layer.areas,
                                                      layer.cons, &data, &size);
        if (dtStatusFailed(status)) return false;
        if (dtStatusFailed(tiles.cache->addTile(data, size, DT_COMPRESSEDTILE_FREE_DATA, nullptr))) {
            dtFree(data);
            return false;
        }
    }
    return dtStatusSucceed(tiles.cache->buildNavMeshTilesAt(x, z, tiles.mesh.get()));
}

/// Asks for a box as an obstacle; 0 where the cache refuses.
unsigned int shim_tiles_put_box(void* tiles, const float* low, const float* high) {
    dtObstacleRef box = 0;
    static_cast<Tiles*>(tiles)->cache->addBoxObstacle(low, high, &box);
    return box;
}

/// Asks for an obstacle to go.
bool shim_tiles_take_box(void* tiles, unsigned int box) {
    return dtStatusSucceed(static_cast<Tiles*>(tiles)->cache->removeObstacle(box));
}

/// Updates the cache until nothing is asked for any more. Says how many tiles that took; negative on failure.
int shim_tiles_update(void* untyped) {
    Tiles& tiles = *static_cast<Tiles*>(untyped);
    for (int steps = 1; steps < 1000; ++steps) {
        bool is_done = false;
        if (dtStatusFailed(tiles.cache->update(0.0f, tiles.mesh.get(), &is_done))) return -1;
        if (is_done) return steps;
    }
    return -1;
}

/// The length of the straight path between two points; negative where there is none.
double shim_tiles_path(const void* untyped, const float* from, const float* to) {
    const Tiles& tiles = *static_cast<const Tiles*>(untyped);
    Query query(dtAllocNavMeshQuery());
    if (!query || dtStatusFailed(query->init(tiles.mesh.get(), most_nodes))) return -1.0;
    const dtQueryFilter filter;
    dtPolyRef first = 0, last = 0;
    float start[3], end[3];
    query->findNearestPoly(from, half_extents, &filter, &first, start);
    query->findNearestPoly(to, half_extents, &filter, &last, end);
    std::vector<dtPolyRef> corridor(4096);
    std::vector<float> corners(3 * 4096);
    int count = 0, corner_count = 0;
    if (!first || !last) return -1.0;
    const dtStatus status = query->findPath(first, last, start, end, &filter, corridor.data(), &count, 4096);
    if (dtStatusFailed(status) || dtStatusDetail(status, DT_PARTIAL_RESULT)) return -1.0;
    query->findStraightPath(start, end, corridor.data(), count, corners.data(), nullptr, nullptr, &corner_count, 4096);
    double length = 0.0;
    for (int corner = 3; corner < 3 * corner_count; corner += 3) {
        length += std::hypot(corners[corner] - corners[corner - 3], corners[corner + 2] - corners[corner - 1]);
    }
    return length;
}

}
