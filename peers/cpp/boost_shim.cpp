// Boost.Polygon's segment Voronoi diagram behind one C function. Boost is optional: without its headers the function
// says so.

#include <cstddef>

#if __has_include(<boost/polygon/voronoi.hpp>)
#include <boost/polygon/voronoi.hpp>
#include <vector>

namespace {

struct Point {
    int x, y;
};

struct Segment {
    Point from, to;
};

}

namespace boost {
namespace polygon {

template <>
struct geometry_concept<Point> {
    typedef point_concept type;
};

template <>
struct point_traits<Point> {
    typedef int coordinate_type;
    static int get(const Point& point, orientation_2d axis) {
        return axis == HORIZONTAL ? point.x : point.y;
    }
};

template <>
struct geometry_concept<Segment> {
    typedef segment_concept type;
};

template <>
struct segment_traits<Segment> {
    typedef int coordinate_type;
    typedef Point point_type;
    static Point get(const Segment& segment, direction_1d end) {
        return end.to_int() ? segment.to : segment.from;
    }
};

}
}

/// Builds the diagram of segments, four coordinates each. Returns the number of its vertices.
extern "C" long shim_boost_voronoi(const int* coordinates, size_t count) {
    std::vector<Segment> segments;
    segments.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        const int* at = coordinates + 4 * i;
        segments.push_back(Segment{{at[0], at[1]}, {at[2], at[3]}});
    }
    boost::polygon::voronoi_diagram<double> diagram;
    boost::polygon::construct_voronoi(segments.begin(), segments.end(), &diagram);
    return static_cast<long>(diagram.num_vertices());
}

#else

/// Boost is not here.
extern "C" long shim_boost_voronoi(const int*, size_t) { return -1; }

#endif
