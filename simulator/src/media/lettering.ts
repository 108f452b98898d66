/**
 * Letters as pixels, so that an image shows its prompt on a machine without any font, and the same on every machine.
 * Each glyph is seven rows of five pixels; a row is one base-32 digit whose highest bit is the leftmost pixel.
 */
const glyphs: Record<string, string> = {
  A: 'ehhvhhh',
  B: 'uhhuhhu',
  C: 'ehggghe',
  D: 'uhhhhhu',
  E: 'vgguggv',
  F: 'vgguggg',
  G: 'ehgnhhe',
  H: 'hhhvhhh',
  I: 'e44444e',
  J: '72222ic',
  K: 'hikokih',
  L: 'ggggggv',
  M: 'hrllhhh',
  N: 'hpljhhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  Q: 'ehhhlid',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
  U: 'hhhhhhe',
  V: 'hhhhha4',
  W: 'hhhllrh',
  X: 'hha4ahh',
  Y: 'hha4444',
  Z: 'v1248gv',
  0: 'ejlllpe',
  1: '4c4444e',
  2: 'eh1248v',
  3: 'eh161he',
  4: '26aiv22',
  5: 'vgu11he',
  6: '68guhhe',
  7: 'v124888',
  8: 'ehhehhe',
  9: 'ehhf12c',
  ' ': '0000000',
  '.': '00000cc',
  ',': '0000c48',
  '!': '4444404',
  '?': 'eh12404',
  ':': '0cc0cc0',
  ';': '0cc0c48',
  '-': '000v000',
  "'": '4480000',
  '"': 'aa00000',
  '(': '2488842',
  ')': '8422248',
  '[': 'e88888e',
  ']': 'e22222e',
  '/': '01248g0',
  '\\': '0g84210',
  '+': '044v440',
  '=': '00v0v00',
  _: '000000v',
  '*': '04lel40',
  '#': 'aavavaa',
  '&': 'cik8lid',
  '%': 'op248j3',
  '@': 'eh1dlle',
  '<': '248g842',
  '>': '8421248',
  $: '4fke5u4',
  '…': '00000ll',
};

/** A hollow box for what has no glyph. */
const missingGlyph = 'vhhhhhv';
const GLYPH_COLUMNS = 5;
const GLYPH_ROWS = 7;
/** Glyph and the gap after it, in glyph pixels. */
export const ADVANCE_COLUMNS = 6;
export const ADVANCE_ROWS = 10;

/** The outline of one line of text as an SVG path, its top left corner at (x, y), one glyph pixel being `scale` wide. */
export function letterPath(line: string, { x, y, scale }: { x: number; y: number; scale: number }): string {
  const glyphsOfLine = Array.from(line, (character) => glyphs[character] ?? missingGlyph);
  return glyphsOfLine
    .map((rows, index) => glyphPath(rows, { x: x + index * ADVANCE_COLUMNS * scale, y, scale }))
    .join('');
}

/** Text as the glyphs can show it: capitals, accents dropped, broken into at most `maxLines` lines. */
export function wrapText(text: string, { columns, maxLines }: { columns: number; maxLines: number }): string[] {
  const words = plainCapitals(text)
    .split(/\s+/)
    .flatMap((word) => word.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? []);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  if (lines.length <= maxLines) return lines;
  const shown = lines.slice(0, maxLines);
  return [...shown.slice(0, -1), `${(shown.at(-1) ?? '').slice(0, columns - 1)}…`];
}

function plainCapitals(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
}

function glyphPath(rows: string, { x, y, scale }: { x: number; y: number; scale: number }): string {
  let path = '';
  for (let row = 0; row < GLYPH_ROWS; row += 1) {
    const bits = Number.parseInt(rows[row] ?? '0', 32)
      .toString(2)
      .padStart(GLYPH_COLUMNS, '0');
    for (const run of bits.matchAll(/1+/g)) {
      const width = run[0].length * scale;
      path += `M${x + run.index * scale} ${y + row * scale}h${width}v${scale}h${-width}z`;
    }
  }
  return path;
}
