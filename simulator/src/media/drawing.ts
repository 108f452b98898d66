import { createDice, type Dice } from './dice';

export interface Canvas {
  /** Pixels. */
  width: number;
  height: number;
}

/** An image of a prompt as SVG: gradients and shapes drawn from its words. */
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
  ]);
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
