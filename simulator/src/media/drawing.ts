import { createDice, type Dice } from './dice';
import { ADVANCE_COLUMNS, ADVANCE_ROWS, letterPath, wrapText } from './lettering';

export interface Canvas {
  /** Pixels. */
  width: number;
  height: number;
}

/** An image of a prompt as SVG: a hashed landscape of gradients and shapes, with the prompt written across the foot. */
export function drawImage(canvas: Canvas, options: { prompt: string; seed: number; transparent: boolean }): string {
  const dice = createDice(options.prompt, options.seed);
  const hue = dice.between(0, 360);
  const ground = options.transparent ? '' : '<rect width="100%" height="100%" fill="url(#ground)"/>';
  return svg(canvas, [
    `<defs><linearGradient id="ground" x1="0" y1="0" x2="${dice.between(0.2, 1).toFixed(2)}" y2="1">`,
    `<stop offset="0" stop-color="${colour(hue, 70, 72)}"/><stop offset="1" stop-color="${colour(hue + 60, 65, 38)}"/>`,
    '</linearGradient></defs>',
    ground,
    ...Array.from({ length: 9 }, () => shape(canvas, dice, hue)),
    caption(canvas, options.prompt),
  ]);
}

/** The layer that an edit puts over the whole input image: a veil of colour, and the prompt across the foot. */
export function drawTint(canvas: Canvas, options: { prompt: string; seed: number }): string {
  const hue = createDice(options.prompt, options.seed, 'tint').between(0, 360);
  const veil = `<rect width="100%" height="100%" fill="${colour(hue, 90, 50)}" fill-opacity="0.4"/>`;
  return svg(canvas, [veil, caption(canvas, options.prompt)]);
}

/** The prompt across the foot, over nothing. */
export function drawCaption(canvas: Canvas, prompt: string): string {
  return svg(canvas, [caption(canvas, prompt)]);
}

/** The paint that an edit puts into the hole of a mask: opaque diagonal stripes in two strong colours of the prompt. */
export function drawPaint(canvas: Canvas, options: { prompt: string; seed: number }): string {
  const hue = createDice(options.prompt, options.seed, 'paint').between(0, 360);
  const stripe = Math.max(8, Math.round(Math.min(canvas.width, canvas.height) / 24));
  return svg(canvas, [
    `<defs><pattern id="stripes" width="${2 * stripe}" height="${2 * stripe}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`,
    `<rect width="${2 * stripe}" height="${2 * stripe}" fill="${colour(hue, 100, 50)}"/>`,
    `<rect width="${stripe}" height="${2 * stripe}" fill="${colour(hue + 180, 100, 40)}"/></pattern></defs>`,
    '<rect width="100%" height="100%" fill="url(#stripes)"/>',
  ]);
}

/** An ellipse that leaves the corners out: cut from an image, it makes the background transparent. */
export function drawCutout(canvas: Canvas): string {
  return svg(canvas, ['<ellipse cx="50%" cy="50%" rx="48%" ry="48%" fill="#fff"/>']);
}

/** The plate that marks a generated image, in the bottom right corner. */
export function drawWatermark(canvas: Canvas): string {
  const text = 'AI GENERATED';
  const scale = Math.max(1, Math.round(canvas.width / 400));
  const width = (text.length * ADVANCE_COLUMNS + 5) * scale;
  const height = (ADVANCE_ROWS + 3) * scale;
  const x = canvas.width - width - 4 * scale;
  const y = canvas.height - height - 4 * scale;
  return svg(canvas, [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#fff"/>`,
    `<path fill="#000" d="${letterPath(text, { x: x + 3 * scale, y: y + 3 * scale, scale })}"/>`,
  ]);
}

const CAPTION_COLUMNS = 44;
const CAPTION_LINES = 4;

function caption({ width, height }: Canvas, text: string): string {
  const lines = wrapText(text, { columns: CAPTION_COLUMNS, maxLines: CAPTION_LINES });
  if (lines.length === 0) return '';
  const scale = Math.max(1, Math.floor(width / ((CAPTION_COLUMNS + 2) * ADVANCE_COLUMNS)));
  const lineHeight = ADVANCE_ROWS * scale;
  const plateHeight = (lines.length + 1) * lineHeight;
  const top = Math.round(height * 0.88) - plateHeight;
  const letters = lines.map((line, index) =>
    letterPath(line, { x: ADVANCE_COLUMNS * scale, y: top + Math.round((index + 0.65) * lineHeight), scale }),
  );
  return [
    `<rect y="${top}" width="${width}" height="${plateHeight}" fill="#101018" fill-opacity="0.72"/>`,
    `<path fill="#fff" d="${letters.join('')}"/>`,
  ].join('');
}

function shape({ width, height }: Canvas, dice: Dice, hue: number): string {
  const x = Math.round(dice.between(0, width));
  const y = Math.round(dice.between(0, height));
  const size = Math.round(dice.between(0.08, 0.3) * Math.min(width, height));
  const paint = `fill="${colour(hue + dice.between(-80, 80), 80, dice.between(35, 75))}" fill-opacity="${dice.between(0.45, 0.9).toFixed(2)}"`;
  const kind = dice.between(0, 3);
  if (kind < 1) return `<circle cx="${x}" cy="${y}" r="${size}" ${paint}/>`;
  if (kind < 2) return `<polygon points="${x},${y - size} ${x + size},${y + size} ${x - size},${y + size}" ${paint}/>`;
  return `<rect x="${x - size}" y="${y - size}" width="${2 * size}" height="${size}" transform="rotate(${Math.round(dice.between(0, 90))} ${x} ${y})" ${paint}/>`;
}

function colour(hue: number, saturation: number, lightness: number): string {
  return `hsl(${Math.round((hue + 360) % 360)},${Math.round(saturation)}%,${Math.round(lightness)}%)`;
}

function svg({ width, height }: Canvas, parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`;
}
