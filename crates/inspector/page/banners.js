// The colours of units and orders.

/** The colours of units and orders, distinct also without red and green. */
export const BANNERS = [
  [0.16, 0.44, 0.86], [0.87, 0.27, 0.16], [0.98, 0.78, 0.20], [0.58, 0.27, 0.82],
  [0.20, 0.72, 0.74], [0.93, 0.55, 0.72], [0.96, 0.96, 0.96], [0.24, 0.20, 0.18],
];

/** The banner of the order in the mode Look. */
export const LOOK = 4;

/** How bright the ground is in the present theme. */
export const brightness = () => (document.documentElement.dataset.theme === "dark" ? 0.78 : 1);

export const css = (banner) => `rgb(${BANNERS[banner % 8].map((v) => Math.round(v * 255)).join(",")})`;
