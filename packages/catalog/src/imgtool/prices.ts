/** Actions that draw, which is dearer in a hurry. */
const DRAWING = [
  'imagine',
  'blend',
  'edits',
  'variation',
  'high_variation',
  'low_variation',
  'reroll',
  'zoom',
  'pan',
  'modal',
];

/** Currency units of one task by billing key; of one video for `video`. */
export const PRICES: Readonly<Record<string, number>> = {
  imgtool: 0.05,
  'imgtool@describe': 0.01,
  'imgtool@shorten': 0.01,
  'imgtool@upscale': 0.02,
  // The image is drawn, and paid, with its modal.
  'imgtool@inpaint': 0.01,
  'imgtool@video': 0.25,
  'imgtool@video-720p': 0.5,
  ...Object.fromEntries(DRAWING.map((action) => [`imgtool@${action}-fast`, 0.08])),
  ...Object.fromEntries(DRAWING.map((action) => [`imgtool@${action}-turbo`, 0.16])),
};
