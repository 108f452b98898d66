import sharp from 'sharp';
import type { Canvas } from '../media/drawing';

/** Four captions of an image, from its colours, its light, its contrast and its shape. `variant` gives other wordings. */
export async function captionsOf(png: Buffer, { width, height }: Canvas, variant: number): Promise<string[]> {
  const { channels, dominant } = await sharp(png).stats();
  const mean = channels.slice(0, 3).reduce((sum, channel) => sum + channel.mean, 0) / 3;
  const deviation = channels.slice(0, 3).reduce((sum, channel) => sum + channel.stdev, 0) / 3;
  const colour = colourName(dominant.r, dominant.g, dominant.b);
  const light = mean > 170 ? 'bright' : mean < 85 ? 'dark' : 'softly lit';
  const contrast = deviation > 60 ? 'strong contrasts' : deviation < 15 ? 'flat surfaces' : 'gentle contrasts';
  const shape = width > height * 1.1 ? 'wide' : height > width * 1.1 ? 'tall' : 'square';
  const facts = `${width}x${height} pixels`;
  const captions = [
    `A ${light} ${shape} image in ${colour}, with ${contrast}, ${facts}`,
    `${capital(colour)} all over, ${light}, ${contrast}, seen in a ${shape} frame of ${facts}`,
    `An abstract ${shape} composition, ${facts}, dominated by ${colour}, ${light}, with ${contrast}`,
    `${capital(contrast)} on ${colour}, a ${light} study in a ${shape} format, ${facts}`,
  ];
  const turned = captions.map((_, index) => captions[(index + variant) % captions.length] ?? '');
  return turned.map((caption) => `${caption} --ar ${ratioText(width, height)}`);
}

/** Texts as the vendor writes them into one. */
export function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}️⃣ ${text}`).join('\n\n');
}

const hues = ['red', 'orange', 'yellow', 'lime', 'green', 'teal', 'cyan', 'azure', 'blue', 'violet', 'magenta', 'pink'];

function colourName(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most < 45) return 'black';
  if (most - least < 28) return most > 215 ? 'white' : 'grey';
  const spread = most - least;
  const sixth =
    most === red
      ? ((green - blue) / spread + 6) % 6
      : most === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4;
  return hues[Math.round(sixth * 2) % hues.length] ?? 'red';
}

const MAX_RATIO_TERM = 21;

/** The fraction of small terms that is nearest, as `3:2`. */
function ratioText(width: number, height: number): string {
  let best = { text: '1:1', error: Number.POSITIVE_INFINITY };
  for (let high = 1; high <= MAX_RATIO_TERM; high += 1) {
    const wide = Math.min(99, Math.max(1, Math.round((width / height) * high)));
    const error = Math.abs(Math.log(wide / high / (width / height)));
    // A larger fraction has to be better by more than a rounding of the sides.
    if (error < best.error - 0.005) best = { text: `${wide}:${high}`, error };
  }
  return best.text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
