// What the graphics card draws: ground, fields over it, lines, units.

/** A block's square: texels from its corner, clip space from its cells. */
const square = `#version 300 es
precision highp float;
in vec2 corner;
uniform vec2 origin;   // the block's corner, in cells from the camera
uniform float side;    // its side, in cells
uniform vec2 clip;     // clip space a cell
uniform float grow;    // by which part of the side it is larger, to leave no gap
out vec2 at;
void main() {
  vec2 grown = corner + (corner * 2.0 - 1.0) * grow;
  at = grown * 100.0;
  vec2 place = (origin + grown * side) * clip;
  gl_Position = vec4(place.x, -place.y, 0.0, 1.0);
}`;

const drawn = `
uint mixed(uvec2 p) {
  uint h = p.x * 0x9E3779B1u ^ p.y * 0x85EBCA77u;
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  return h ^ (h >> 15);
}
float noise(vec2 p) { return float(mixed(uvec2(ivec2(floor(p)))) & 1023u) / 1023.0; }
float smoothed(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(noise(i), noise(i + vec2(1, 0)), f.x),
             mix(noise(i + vec2(0, 1)), noise(i + vec2(1, 1)), f.x), f.y);
}
`;

/** Colours of the ground of files, scenes and new maps, in bytes. */
export const OPEN = [140, 168, 98];
export const DEAR = [198, 184, 116];
export const DEAREST = [132, 88, 66];
export const WALLS = [88, 86, 92];
const glsl = (bytes) => `rgb(${bytes.map((byte) => byte.toFixed(1))})`;

/** The ground in daylight, with the sun in the north-west: seen from afar (0), from
 * 2.5 pixels a texel (1), from 5 pixels (2). A shader of its own for each, since software
 * that draws computes both sides of every condition. */
const ground = (near) => `#version 300 es
precision highp float;
#define NEAR ${near}
in vec2 at;
uniform sampler2D texels; // material, cost, light, tone; one more around
uniform vec2 corner;      // the block's corner, in cells
uniform float cells;      // cells a texel
uniform float pixels;     // pixels a texel
out vec4 colour;
${drawn}
vec4 texel(ivec2 t) { return texelFetch(texels, clamp(t + 1, ivec2(0), ivec2(101)), 0) * 255.0; }
int material(ivec2 t) { return int(texel(t).r + 0.5); }
bool tall(int m) { return m == 2 || m == 8 || m == 9 || m >= 14; }
bool built(int m) { return m == 2 || m == 13 || m >= 15 || m == 1; }
vec3 rgb(float r, float g, float b) { return vec3(r, g, b) / 255.0; }

vec3 by_cost(float cost) {
  float part = clamp(log2(cost) / 6.0, 0.0, 1.0);
  vec3 low = mix(${glsl(OPEN)}, ${glsl(DEAR)}, smoothstep(0.0, 0.4, part));
  return mix(low, ${glsl(DEAREST)}, smoothstep(0.35, 1.0, part));
}

const vec3 PLAIN[18] = vec3[18](
  vec3(0.0), vec3(0.0), vec3(${WALLS}) / 255.0, vec3(122., 158., 80.) / 255.0,
  vec3(214., 196., 146.) / 255.0, vec3(186., 150., 92.) / 255.0, vec3(206., 184., 142.) / 255.0,
  vec3(168., 158., 116.) / 255.0, vec3(96., 138., 66.) / 255.0, vec3(52., 94., 52.) / 255.0,
  vec3(116., 138., 92.) / 255.0, vec3(104., 160., 178.) / 255.0, vec3(110., 172., 190.) / 255.0,
  vec3(168., 124., 78.) / 255.0, vec3(120., 112., 104.) / 255.0, vec3(146., 138., 130.) / 255.0,
  vec3(164., 84., 62.) / 255.0, vec3(46., 38., 62.) / 255.0);

vec3 base(int m, vec4 t, vec2 place) {
  if (m == 1) return by_cost(max(t.g, 1.0));
  float high = t.a / 255.0;
  // The higher, the drier; the deeper, the darker; peaks are light.
  vec3 far = m == 3 ? rgb(172., 178., 104.) : m == 12 ? rgb(38., 92., 138.) : rgb(206., 204., 204.);
  float part = m == 14 ? clamp(high * 3.0 - 1.765, 0.0, 1.0) : m == 3 || m == 12 ? high : 0.0;
  vec3 c = mix(PLAIN[m], far, part);
  if (m == 5) {
    uint draw = mixed(uvec2(ivec2(floor(place / vec2(17., 13.))) + 4096));
    uint crop = draw % 4u;
    c = crop == 0u ? rgb(206., 182., 96.) : crop == 1u ? rgb(158., 168., 82.) : crop == 2u ? c : rgb(134., 160., 86.);
    float along = (draw & 16u) == 0u ? place.x : place.y;
    c += fract(along / 3.0) < 0.34 ? -0.055 : 0.016;
  }
  return c;
}

float speckle(int m, vec2 place, float fine) {
  float n = noise(floor(place * fine) + 9000.0) - 0.5;
  float s = m == 9 ? 0.16 : m == 8 ? 0.24 : m == 14 ? 0.11 : m == 12 ? 0.02 : m == 2 ? 0.05 : m == 1 ? 0.03 : 0.05;
  if (m == 10 && n > 0.34) return -0.12;
  if (m == 13) return mod(floor(place.x * 2.0) + floor(place.y * 2.0), 2.0) * -0.06;
  return n * s;
}

/** Light between the middles of four texels. */
float light(vec2 p) {
  vec2 q = p - 0.5;
  ivec2 i = ivec2(floor(q));
  vec2 f = fract(q);
  float a = mix(texel(i).b, texel(i + ivec2(1, 0)).b, f.x);
  float b = mix(texel(i + ivec2(0, 1)).b, texel(i + ivec2(1, 1)).b, f.x);
  return (mix(a, b, f.y) - 128.0) / 255.0;
}

/** Crowns of trees, where one can see them. */
float crowns(vec2 p, vec2 place) {
  float best = 0.0;
  for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) {
    ivec2 t = ivec2(floor(p)) + ivec2(dx, dy);
    int m = material(t);
    if (m != 9 && m != 8) continue;
    vec2 whole = floor(place / cells) + vec2(dx, dy);
    float one = noise(whole + 77.0), two = noise(whole + 1313.0);
    if (m == 8 && one < 0.35) continue;
    vec2 middle = vec2(t) + 0.5 + (vec2(one, two) - 0.5) * 0.5;
    vec2 d = (p - middle) / (0.42 + 0.24 * two);
    float r = dot(d, d);
    if (r < 1.0) best = max(best, (1.0 - r) * (0.75 - 0.45 * (d.x + d.y)));
  }
  return best;
}

vec3 lit(vec2 p) {
  vec2 place = corner + p * cells;
  ivec2 here = ivec2(floor(p));
  int m = material(here);
  // Nature has ragged edges, where one can see them; what is built is square.
#if NEAR > 0
  {
    vec2 off = (vec2(smoothed(place * 2.3), smoothed(place * 2.3 + 500.0)) - 0.5) * 0.34;
    ivec2 there = ivec2(floor(p + off));
    int other = material(there);
    if (!built(m) && !built(other) && other != 0) { here = there; m = other; }
  }
#endif
  vec4 t = texel(here);
  if (m == 0) return vec3(-1.0);
  float fine = clamp(exp2(floor(log2(max(pixels / 3.0, 1.0)))), 1.0, 4.0) / cells;
  vec3 c = base(m, t, place) + speckle(m, place, fine);
  // What lies across the two nearer edges of the texel.
  vec2 f = fract(p), away = min(f, 1.0 - f);
  vec4 across = texel(here + ivec2(f.x < 0.5 ? -1 : 1, 0)), along = texel(here + ivec2(0, f.y < 0.5 ? -1 : 1));
  if (m == 17) {
    // A drawn wall has a light edge, near and far.
    vec2 other = step(0.5, abs(vec2(across.r, along.r) - 17.0));
    return any(lessThan(away, other * clamp(1.6 / pixels, 0.08, 0.51))) ? rgb(238., 226., 255.) : c;
  }
  // Wood, water and rock that nobody can enter end in a dark line.
  vec2 open = t.g > 254.5 && !built(m) ? 1.0 - step(254.5, vec2(across.g, along.g)) : vec2(0.0);
  if (any(lessThan(away, open * min(0.51, 1.5 / pixels)))) c *= 0.5;
  if (m != 12 && m != 13) c += pixels > 1.6 ? light(p) : (t.b - 128.0) / 255.0;
#if NEAR > 1
  if (m == 9 || m == 8 || m == 3) {
    float crown = crowns(p, place);
    if (crown > 0.0) c = mix(c, (m == 8 || m == 3 ? rgb(84., 128., 62.) : rgb(66., 112., 60.)) * (0.55 + 0.75 * crown), smoothstep(5.0, 9.0, pixels));
    else if (m == 9) c *= mix(1.0, 0.8, smoothstep(5.0, 9.0, pixels));
  }
#endif
#if NEAR > 0
  if (m == 12 && pixels > 4.0) c += (smoothed(place * vec2(1.2, 3.6)) - 0.5) * 0.05;
#endif
  if (tall(m)) {
#if NEAR > 0
    if (pixels > 3.0 && (m == 2 || m >= 15)) {
      vec2 f = fract(p);
      float edge = clamp(2.2 / pixels, 0.06, 0.3);
      if (f.y < edge && material(here - ivec2(0, 1)) != m) c += 0.14;
      if (f.x < edge && material(here - ivec2(1, 0)) != m) c += 0.10;
      if (f.y > 1.0 - edge && material(here + ivec2(0, 1)) != m) c -= 0.10;
      if (f.x > 1.0 - edge && material(here + ivec2(1, 0)) != m) c -= 0.08;
    }
#endif
  } else if (cells < 3.0) {
    float reach = pixels > 3.0 ? 0.42 : 1.0;
    if (tall(material(ivec2(floor(p - reach))))) c = mix(c, rgb(8., 16., 24.), 0.36);
    else if (tall(material(ivec2(floor(p - 2.0 * reach))))) c = mix(c, rgb(8., 16., 24.), 0.2);
  }
  return c;
}

void main() {
  vec3 c = vec3(0.0);
  float seen = 0.0;
  int samples = pixels < 0.95 ? 4 : 1;
  for (int s = 0; s < samples; s++) {
    vec2 off = samples == 1 ? vec2(0.0) : (vec2(float(s & 1), float(s >> 1)) - 0.5) * 0.5 / pixels;
    vec3 one = lit(clamp(at + off, vec2(0.001), vec2(99.999)));
    if (one.r > -0.9) { c += one; seen += 1.0; }
  }
  if (seen == 0.0) discard;
  c /= seen;
  float grey = dot(c, vec3(0.3, 0.59, 0.11));
  colour = vec4(mix(vec3(grey), c, 0.96), 1.0);
}`;

/** A field over the ground: a shader of its own for each. */
const field = (shown) => `#version 300 es
precision highp float;
in vec2 at;
uniform sampler2D texels;
uniform float cells;
uniform float pixels;
uniform vec3 scale;          // of costs-to-go: lowest, highest, from line to line
uniform float numbered;      // 1 if there is a number above each arrow
uniform float dearest;       // the highest cost, as a power of two
uniform float texels_side;   // along a block's side, for loaded sectors
uniform vec3 banners[15];    // by bit
uniform int chosen;          // the chosen order's bit
out vec4 colour;
// Where it is, never past the last texel.
vec2 spot;
vec4 texel(ivec2 t) { return texelFetch(texels, t, 0) * 255.0; }

vec3 viridis(float t) {
  const vec3 c0 = vec3(0.2777, 0.0054, 0.3341), c1 = vec3(0.1050, 1.4046, 1.3846);
  const vec3 c2 = vec3(-0.3308, 0.2148, 0.0950), c3 = vec3(-4.6342, -5.7991, -19.3324);
  const vec3 c4 = vec3(6.2282, 14.1799, 56.6905), c5 = vec3(4.7763, -13.7451, -65.3530);
  const vec3 c6 = vec3(-5.4354, 4.6458, 26.3124);
  return clamp(c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * (c5 + t * c6))))), 0.0, 1.0);
}

vec2 offset(int d) {
  if (d == 0) return vec2(0, -1);
  if (d == 1) return vec2(1, 0);
  if (d == 2) return vec2(0, 1);
  if (d == 3) return vec2(-1, 0);
  if (d == 4) return vec2(0.7071, -0.7071);
  if (d == 5) return vec2(0.7071, 0.7071);
  if (d == 6) return vec2(-0.7071, 0.7071);
  return vec2(-0.7071, -0.7071);
}

/** Colour of a direction: blue in the west, orange in the east, light green in the north,
 * dark purple in the south. */
vec3 bearing(vec2 d) {
  vec3 across = d.x < 0.0 ? vec3(0.20, 0.47, 0.86) : vec3(0.93, 0.58, 0.16);
  vec3 along = d.y < 0.0 ? vec3(0.50, 0.80, 0.66) : vec3(0.50, 0.20, 0.50);
  return across * d.x * d.x + along * d.y * d.y;
}

vec4 cost() {
  vec4 t = texel(ivec2(floor(spot)) + 1);
  int m = int(t.r + 0.5);
  if (m == 0) return vec4(0.0);
  if (t.g > 254.5) {
    float stripe = fract((spot.x + spot.y) * (pixels > 4.0 ? 1.5 : 0.25));
    return vec4(0.07, 0.08, 0.12, stripe < 0.5 ? 0.88 : 0.76);
  }
  float part = clamp(log2(max(t.g, 1.0)) / max(dearest, 1.0), 0.0, 1.0);
  vec3 c = mix(vec3(0.98, 0.97, 0.90), vec3(0.96, 0.66, 0.16), smoothstep(0.0, 0.5, part));
  return vec4(mix(c, vec3(0.48, 0.09, 0.30), smoothstep(0.4, 1.0, part)), 0.78);
}

/** The cost-to-go of a texel; less than 0 where there is none. */
float to_go(ivec2 at) {
  vec4 t = texel(clamp(at, ivec2(0), ivec2(99)));
  return t.a > 254.5 && t.b > 254.5 ? -1.0 : t.r + 256.0 * (t.g + 256.0 * (t.b + 256.0 * t.a));
}

vec4 integration() {
  float own = to_go(ivec2(floor(spot)));
  // Lines follow the value between the middles of four texels, of those that have one.
  ivec2 first = ivec2(floor(spot - 0.5));
  vec2 part = fract(spot - 0.5);
  float sum = 0.0, weight = 1e-6;
  for (int n = 0; n < 4; n++) {
    ivec2 by = ivec2(n & 1, n >> 1);
    float v = to_go(first + by), w = v < 0.0 ? 0.0 : abs(1.0 - float(by.x) - part.x) * abs(1.0 - float(by.y) - part.y);
    sum += v * w;
    weight += w;
  }
  float lines = sum / weight / scale.z, slope = length(vec2(dFdx(lines), dFdy(lines)));
  float away = abs(fract(lines - 0.5) - 0.5) / max(slope, 1e-4);
  // Where the value leaps, at walls, there is no line.
  float line = slope > 0.35 ? 0.0 : 1.0 - smoothstep(0.35, 1.15, away);
  bool strong = mod(floor(lines + 0.5), 5.0) < 0.5;
  vec3 c = viridis(1.0 - clamp((own - scale.x) / max(scale.y - scale.x, 1.0), 0.0, 1.0));
  return own < 0.0 ? vec4(0.0) : vec4(mix(c, vec3(0.03, 0.05, 0.1), line * (strong ? 0.9 : 0.6)), 0.82);
}

vec4 flow() {
  int v = int(texel(ivec2(floor(spot))).r + 0.5);
  int code = v & 15;
  if (code == 15 || code == 12) return vec4(0.0);
  if (code == 8) return vec4(1.0, 1.0, 1.0, 0.9);
  if (code == 9) return vec4(0.9, 0.9, 0.9, fract((spot.x - spot.y) * 0.5) < 0.5 ? 0.34 : 0.18);
  if (code == 10) return vec4(0.0);
  if (code == 11) return vec4(0.1, 0.0, 0.1, 0.45);
  if (code == 13) return vec4(0.86, 0.24, 0.8, 0.85);
  // From afar the streams say more than the cells.
  vec4 c = vec4(bearing(offset(code)), pixels < 2.0 * cells ? 0.34 : 0.6);
  if (pixels < 13.0) return c;
  // Below a number it is smaller.
  vec2 d = offset(code), q = (fract(spot) - vec2(0.5, 0.5 + 0.2 * numbered)) / (1.0 - 0.36 * numbered);
  vec2 r = vec2(dot(q, d), dot(q, vec2(-d.y, d.x)));
  float shaft = max(abs(r.y) - 0.055, max(r.x - 0.12, -0.36 - r.x));
  float head = max(abs(r.y) - (0.38 - r.x) * 0.62, 0.04 - r.x);
  float away = min(shaft, head) * pixels * (1.0 - 0.36 * numbered);
  c = mix(c, vec4(0.04, 0.06, 0.1, 0.8), 1.0 - smoothstep(0.6, 1.9, away));
  return mix(c, vec4((v & 16) != 0 ? vec3(1.0, 0.93, 0.42) : vec3(1.0), 1.0), 1.0 - smoothstep(-0.4, 0.6, away));
}

vec4 sight() {
  int v = int(texel(ivec2(floor(spot))).r + 0.5);
  return (v & 16) != 0 ? vec4(1.0, 0.93, 0.42, 0.42) : vec4(0.0);
}

int bits(ivec2 s) {
  vec4 t = texel(s + 1);
  return int(t.r + 0.5) + 256 * int(t.g + 0.5);
}

int count_of(int bits) {
  int count = 0;
  for (int b = 0; b < 15; b++) count += (bits >> b) & 1;
  return count;
}

vec4 loaded() {
  vec2 s = spot / 100.0 * texels_side;
  ivec2 here = ivec2(floor(s));
  int own = bits(here);
  if (own == 0) return vec4(0.0);
  vec2 f = fract(s);
  float px = pixels * 100.0 / texels_side;
  float rim = 1.4 / px;
  if (own == 32768) {
    float stripe = fract((f.x + f.y) * px / 8.0);
    return vec4(0.92, 0.92, 0.95, stripe < 0.4 ? 0.42 : 0.12);
  }
  // Orders that have loaded this sector and not the one across the edge, if it is near.
  int ending = 0;
  if (f.x < rim) ending |= ~bits(here - ivec2(1, 0));
  if (f.x > 1.0 - rim) ending |= ~bits(here + ivec2(1, 0));
  if (f.y < rim) ending |= ~bits(here - ivec2(0, 1));
  if (f.y > 1.0 - rim) ending |= ~bits(here + ivec2(0, 1));
  ending &= own & 32767;
  if (ending != 0) {
    int b = 14;
    while (((ending >> b) & 1) == 0) b--;
    return vec4(banners[b], ((1 << b) & chosen) != 0 ? 0.95 : 0.7);
  }
  if (px > 5.0 && (f.x < 0.7 / px || f.y < 0.7 / px)) return vec4(0.0, 0.0, 0.0, 0.13);
  // Sectors of several orders are striped: a mixture would be the colour of none.
  int count = count_of(own), nth = 0;
  if (px > 6.0) nth = int(mod(floor((s.x + s.y) * max(2.0, floor(px / 8.0))), float(count)));
  else if ((own & chosen) != 0) nth = count_of(own & (chosen - 1));
  int shown = 0;
  for (int b = 0; b < 15; b++) {
    if ((own & (1 << b)) == 0) continue;
    if (nth == 0) { shown = b; break; }
    nth--;
  }
  vec3 c = mix(banners[shown], vec3(1.0, 1.0, 0.94), 0.55);
  return vec4(c, (own & chosen) != 0 ? 0.33 : 0.26);
}

vec4 islands() {
  int v = int(texel(ivec2(floor(spot))).r + 0.5);
  if (v == 255) return vec4(0.05, 0.06, 0.1, 0.5);
  if (v == 0) return vec4(0.85, 0.95, 1.0, 0.1);
  float f = float(v);
  vec3 c = 0.5 + 0.5 * cos(6.2831 * (f * 0.618 + vec3(0.0, 0.15, 0.55)));
  return vec4(c, 0.72);
}

vec4 speed() {
  float v = texel(ivec2(floor(spot))).r / 255.0;
  return vec4(mix(vec3(0.06, 0.16, 0.5), vec3(0.75, 0.95, 1.0), v), v > 0.0 ? mix(0.85, 0.4, v) : 0.0);
}

vec4 potential() {
  float v = texel(ivec2(floor(spot))).r;
  return v > 0.0 ? vec4(viridis(1.0 - v / 255.0), 0.7) : vec4(0.0);
}

vec4 amount(vec3 low, vec3 high) {
  float v = texel(ivec2(floor(spot))).r / 255.0;
  if (v <= 0.0) return vec4(0.0);
  return vec4(mix(low, high, v), 0.25 + 0.65 * sqrt(v));
}

void main() {
  spot = clamp(at, vec2(0.0), vec2(99.999));
  colour = ${shown};
  colour.rgb *= colour.a;
}`;

/** Rows of eight numbers side by side in a table. */
export const ROWS = 512;

/** Six corners of two triangles for each row of a table. */
const tabled = `
uniform highp sampler2D table;
vec2 corner;
vec4 one, two;   // the row's numbers
void read_row() {
  int row = gl_VertexID / 6, nth = gl_VertexID - row * 6;
  int of_four = nth < 3 ? nth : nth == 3 ? 2 : nth == 4 ? 1 : 3;
  corner = vec2(of_four & 1, of_four >> 1);
  ivec2 place = ivec2(row % ${ROWS} * 2, row / ${ROWS});
  one = texelFetch(table, place, 0);
  two = texelFetch(table, place + ivec2(1, 0), 0);
}
`;

/** Lines of a width in pixels, with round ends: their ends, in cells from the
 * line's origin, and their tint. */
const lines_place = `#version 300 es
precision highp float;
${tabled}
uniform vec2 origin;  // in cells from the camera
uniform vec2 clip;
uniform float scale;
uniform float width;
out vec2 near;
out float reach;
out vec4 paint;
void main() {
  read_row();
  vec2 a = (one.xy + origin) * scale, b = (one.zw + origin) * scale;
  vec2 along = b - a;
  float far = length(along);
  vec2 d = far > 0.0 ? along / far : vec2(1.0, 0.0);
  float half_width = width * 0.5 + 1.0;
  vec2 q = corner * 2.0 - 1.0;
  vec2 p = mix(a, b, corner.x) + d * q.x * half_width + vec2(-d.y, d.x) * q.y * half_width;
  near = vec2(q.x < 0.0 ? -half_width : far + half_width, q.y * half_width);
  reach = far;
  paint = two;
  vec2 place = p / scale * clip;
  gl_Position = vec4(place.x, -place.y, 0.0, 1.0);
}`;

const lines_paint = `#version 300 es
precision highp float;
in vec2 near;
in float reach;
in vec4 paint;
uniform float width;
out vec4 colour;
void main() {
  float x = near.x < 0.0 ? near.x : max(0.0, near.x - reach);
  float away = length(vec2(x, near.y)) - width * 0.5;
  float a = paint.a * (1.0 - smoothstep(-0.7, 0.7, away));
  colour = vec4(paint.rgb * a, a);
}`;

/** Streams of a flow: faint lines on which comets move along. */
const streams_paint = `#version 300 es
precision highp float;
in vec2 near;
in float reach;
in vec4 paint;         // how far along it begins, in cells, its phase, whether the goal is in sight
uniform float scale;
uniform float width;
uniform float period;  // from comet to comet, in pixels
uniform float moved;   // how many periods they have moved
out vec4 colour;
void main() {
  float x = clamp(near.x, 0.0, reach);
  float away = length(vec2(near.x - x, near.y));
  float part = fract((paint.x * scale + x) / period + paint.y - moved);
  // From afar they are dark lines on which light ones move.
  bool far = scale < 2.0;
  float comet = part < 0.65 ? pow(part / 0.65, 0.7) : 0.0;
  float core = 1.0 - smoothstep(-0.6, 0.6, away - width * (0.25 + 0.25 * comet));
  float rim = 1.0 - smoothstep(-0.6, 1.2, away - width * 0.5);
  float light = core * (far ? 0.1 + 0.9 * comet : 0.28 + 0.72 * comet), dark = rim * (far ? 0.9 : 0.12 + 0.4 * comet);
  vec3 tint = paint.z > 0.5 ? vec3(1.0, 0.93, 0.42) : vec3(1.0);
  colour = vec4(tint * light, light) + vec4(vec3(0.04, 0.06, 0.1) * dark, dark) * (1.0 - light);
}`;

/** Units, between two pictures of them: where one was and is; its radius, banner,
 * state, and whether it is selected. */
const units_place = `#version 300 es
precision highp float;
${tabled}
uniform vec2 camera;
uniform vec2 clip;
uniform float scale;
uniform float part;
out vec2 near;
out float pixels;
flat out vec3 look;
flat out vec2 heading;
void main() {
  read_row();
  vec2 place = mix(one.xy, one.zw, part) - camera;
  float radius = max(two.x * scale, two.z > 2.5 && two.z < 3.5 ? 5.5 : 1.7);
  pixels = radius;
  look = two.yzw;
  vec2 way = one.zw - one.xy;
  heading = dot(way, way) > 1e-6 ? normalize(way) : vec2(0.0);
  float reach = radius + (radius < 2.3 ? 0.8 : two.w > 0.5 ? 4.0 : 1.6);
  near = (corner * 2.0 - 1.0) * reach;
  vec2 p = (place + near / scale) * clip;
  gl_Position = vec4(p.x, -p.y, 0.0, 1.0);
}`;

const units_paint = `#version 300 es
precision highp float;
in vec2 near;
in float pixels;
flat in vec3 look;
flat in vec2 heading;
uniform vec3 banners[8];
out vec4 colour;
void main() {
  float r = length(near);
  vec3 c = banners[int(look.x + 0.5) & 7];
  int state = int(look.y + 0.5);
  if (state == 4) {
    // A ghost: a ring around a faint disc, on a dark rim; from afar the disc alone.
    float disc = 1.0 - smoothstep(-0.5, 0.5, r - pixels);
    float ring = disc * smoothstep(-2.2, -1.2, r - pixels);
    float strength = pixels > 3.0 ? max(0.3 * disc, 0.9 * ring) : 0.6 * disc;
    float shade = pixels > 3.0 ? 0.5 * (1.0 - smoothstep(0.2, 1.4, r - pixels)) * (1.0 - disc) : 0.0;
    colour = look.z * vec4(mix(c, vec3(1.0), 0.2) * strength, strength + shade);
    return;
  }
  if (state == 2) c = mix(c, vec3(0.35), 0.7);
  if (state == 1) c = mix(c, vec3(1.0), 0.22);
  if (pixels > 4.0) {
    c *= 1.06 - 0.22 * dot(near, vec2(0.7071)) / pixels;
    if (state == 0 && heading != vec2(0.0)) {
      float nose = length(near - heading * pixels * 0.5) - pixels * 0.22;
      c = mix(c, vec3(1.0), 0.75 * (1.0 - smoothstep(-0.6, 0.6, nose)));
    }
  }
  float rim = 1.0 - smoothstep(0.2, pixels > 2.2 ? 1.4 : 1.0, r - pixels);
  float body = 1.0 - smoothstep(-0.8, 0.3, r - pixels);
  vec4 paint = vec4(mix(vec3(0.07, 0.06, 0.09), c, body), rim * (pixels > 2.2 ? 0.95 : mix(0.35, 0.95, body)));
  if (look.z > 0.5 && pixels < 3.5) paint.rgb = mix(paint.rgb, vec3(1.0), 0.62 * body);
  else if (look.z > 0.5) {
    float ring = 1.0 - smoothstep(0.5, 1.3, abs(r - pixels - 2.4));
    paint = mix(paint, vec4(1.0, 1.0, 1.0, 1.0), ring);
  }
  if (state == 3) paint = mix(paint, vec4(1.0), (1.0 - smoothstep(-0.5, 0.5, r - pixels * 0.42)) * rim);
  colour = vec4(paint.rgb * paint.a, paint.a);
}`;

/** Units so small that nothing shows but their colour and whether they are selected, as
 * points: a third of the work of squares. Sources are drawn as units. */
const specks_place = `#version 300 es
precision highp float;
in vec4 corner;   // where it was, and is
in vec4 look;     // its radius, banner, state, and whether it is selected
uniform vec2 camera;
uniform vec2 clip;
uniform float scale;
uniform float part;
uniform vec3 banners[8];
flat out vec3 core;
flat out vec3 rim;
flat out vec2 size;   // its radius, and half the point's side
void main() {
  float radius = max(look.x * scale, 1.7);
  vec3 c = banners[int(look.y + 0.5) & 7];
  core = look.w > 0.5 ? mix(c, vec3(1.0), 0.62) : c;
  rim = look.w > 0.5 ? core : c * 0.4;
  size = vec2(radius, radius + 0.8);
  vec2 p = (mix(corner.xy, corner.zw, part) - camera) * clip;
  gl_PointSize = size.y * 2.0;
  gl_Position = vec4(p.x, -p.y, look.z > 2.5 ? 2.0 : 0.0, 1.0);
}`;

const specks_paint = `#version 300 es
precision mediump float;
flat in vec3 core;
flat in vec3 rim;
flat in vec2 size;
out vec4 colour;
void main() {
  float away = length(gl_PointCoord * 2.0 - 1.0) * size.y - size.x;
  colour = vec4(away > -0.5 ? rim : core, 1.0) * clamp(0.65 - away, 0.0, 1.0);
}`;

/** A tile that was drawn before, where it is seen now. */
const tile_place = `#version 300 es
precision highp float;
in vec2 corner;
uniform vec4 place;   // its upper left and lower right corner in clip space
out vec2 at;
void main() {
  at = vec2(corner.x, 1.0 - corner.y);
  gl_Position = vec4(mix(place.xy, place.zw, corner), 0.0, 1.0);
}`;

/** A tile's ground, as bright as the page wants it; grey and faint behind a field. */
const dimmed = `#version 300 es
precision mediump float;
in highp vec2 at;
uniform sampler2D ground;
uniform float dim;
uniform vec4 quiet;   // what it steps back to, and whether it does
out vec4 colour;
void main() {
  vec4 c = texture(ground, at);
  float grey = dot(c.rgb, vec3(0.3, 0.59, 0.11)) * dim;
  colour = vec4(mix(c.rgb * dim, mix(quiet.rgb * c.a, vec3(grey), 0.4), quiet.a), c.a);
}`;

/** A tile as it is shown. */
const copied = `#version 300 es
precision mediump float;
in highp vec2 at;
uniform sampler2D seen;
out vec4 colour;
void main() { colour = texture(seen, at); }`;

/** Thin lines around cells, stronger ones around sectors, on the pixels of a tile. */
const grid = `#version 300 es
precision highp float;
in vec2 at;
uniform vec2 corner;   // the tile's corner, in pixels from the map's
uniform float side;    // a tile's, in pixels
uniform float scale;   // pixels a cell
uniform float thick;   // a line's width in pixels
out vec4 colour;
float line(float pixel) {
  float cell = floor((pixel + 0.5) / scale), start = floor(cell * scale + 0.5);
  if (pixel - start > thick - 0.5 || pixel < start) {
    cell += 1.0;
    start = floor(cell * scale + 0.5);
    if (pixel - start > thick - 0.5 || pixel < start) return 0.0;
  }
  return mod(cell + 0.5, 10.0) < 1.0 ? 0.38 : 0.13;
}
void main() {
  vec2 pixel = corner + floor(vec2(at.x, 1.0 - at.y) * side);
  float a = max(line(pixel.x), line(pixel.y));
  colour = vec4(vec3(0.04, 0.055, 0.08) * a, a);
}`;

/** A square around a middle, for what is drawn at a size in pixels. */
const around = `#version 300 es
precision highp float;
in vec2 corner;
uniform vec2 middle;   // in clip space
uniform vec2 clip;     // clip space a pixel
uniform vec2 reach;    // half the sides, in pixels
out vec2 near;
void main() {
  near = (corner * 2.0 - 1.0) * reach;
  gl_Position = vec4(middle + near * vec2(clip.x, -clip.y), 0.0, 1.0);
}`;

const painted = `
uniform float ratio;   // pixels of the screen a pixel of the page
out vec4 colour;
void over(vec3 tint, float a) { colour = vec4(tint * a, a) + colour * (1.0 - a); }
/** How much of a pixel a line covers whose middle is that far away. */
float covered(float away, float width) { return clamp(0.5 + (width * 0.5 - abs(away)) * ratio, 0.0, 1.0); }
`;

/** An order's goal: a ring and a dot in its colour. */
const goal = `#version 300 es
precision highp float;
in vec2 near;
uniform vec3 tint;
uniform float chosen;
${painted}
void main() {
  const vec3 dark = vec3(0.07, 0.063, 0.078);
  float r = length(near) / ratio;
  colour = vec4(0.0);
  over(dark, 0.75 * covered(r - 13.0, mix(4.5, 6.0, chosen)));
  over(tint, covered(r - 13.0, mix(2.4, 3.6, chosen)));
  over(vec3(1.0), 0.85 * chosen * covered(r - 17.5, 1.2));
  over(vec3(1.0), covered(r, 10.8));
  over(dark, 0.85 * covered(r - 5.4, 1.4));
  over(tint, covered(r, 6.0));
}`;

/** A frame around cells: the cell under the pointer, or what the brush covers. */
const framed = `#version 300 es
precision highp float;
in vec2 near;
uniform vec2 half_side;   // of the cells, in pixels
uniform vec3 tint;
${painted}
void main() {
  vec2 d = abs(near) - half_side;
  float away = max(d.x, d.y) / ratio - 0.5;
  colour = vec4(0.0);
  over(vec3(0.04, 0.047, 0.063), 0.65 * covered(away, 3.0));
  over(tint, covered(away, tint.g < 0.9 ? 2.4 : 1.4));
}`;

/** Programs by their names: the place of what is drawn, and its paint. */
export const SOURCES = {
  dimmed: [tile_place, dimmed], copied: [tile_place, copied], grid: [tile_place, grid],
  "ground 0": [square, ground(0)], "ground 1": [square, ground(1)], "ground 2": [square, ground(2)],
  lines: [lines_place, lines_paint], streams: [lines_place, streams_paint], units: [units_place, units_paint], specks: [specks_place, specks_paint],
  goal: [around, goal], frame: [around, framed],
  cost: [square, field("cost()")], integration: [square, field("integration()")], flow: [square, field("flow()")],
  sight: [square, field("sight()")], loaded: [square, field("loaded()")], islands: [square, field("islands()")],
  density: [square, field("amount(vec3(0.99, 0.85, 0.35), vec3(0.55, 0.05, 0.25))")],
  speed: [square, field("speed()")],
  discomfort: [square, field("amount(vec3(0.75, 0.62, 0.85), vec3(0.30, 0.05, 0.38))")],
  potential: [square, field("potential()")],
};
