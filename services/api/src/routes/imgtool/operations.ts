/** Paths under `/v1/imgtool/generations` by the operation of the catalogue that they offer. */
export const IMGTOOL_PATHS = {
  '': 'imgtool.imagine',
  '/imagine': 'imgtool.imagine',
  '/blend': 'imgtool.blend',
  '/describe': 'imgtool.describe',
  '/edits': 'imgtool.edits',
  '/upscale': 'imgtool.upscale',
  '/variation': 'imgtool.variation',
  '/high-variation': 'imgtool.high-variation',
  '/low-variation': 'imgtool.low-variation',
  '/reroll': 'imgtool.reroll',
  '/zoom': 'imgtool.zoom',
  '/pan': 'imgtool.pan',
  '/inpaint': 'imgtool.inpaint',
  '/modal': 'imgtool.modal',
  '/video': 'imgtool.video',
  '/remix-strong': 'imgtool.remix-strong',
  '/remix-subtle': 'imgtool.remix-subtle',
} as const;

/** The action in the words of records and billing keys: `high_variation`. */
export function actionOf(operation: string): string {
  return operation.slice(operation.indexOf('.') + 1).replaceAll('-', '_');
}
