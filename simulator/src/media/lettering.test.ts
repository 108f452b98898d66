import { letterPath, wrapText } from './lettering';

const printable = Array.from({ length: 0x5f - 0x20 + 1 }, (_, index) => String.fromCharCode(0x20 + index));

it('every printable character has a shape of its own', () => {
  const shapes = printable.map((character) => letterPath(character, { x: 0, y: 0, scale: 1 }));
  const shared = printable.filter((_, index) => shapes.indexOf(shapes[index] ?? '') !== index);
  // The caret alone has none, and is drawn as the box.
  expect(shared).toEqual([]);
  expect(shapes.filter((shape) => shape === letterPath('\u65e5', { x: 0, y: 0, scale: 1 }))).toHaveLength(1);
});

it('a letter is drawn as its runs of pixels, at its place and scale', () => {
  expect(letterPath(' I', { x: 10, y: 20, scale: 2 })).toBe(
    'M24 20h6v2h-6zM26 22h2v2h-2zM26 24h2v2h-2zM26 26h2v2h-2zM26 28h2v2h-2zM26 30h2v2h-2zM24 32h6v2h-6z',
  );
});

describe('wrapText', () => {
  it('breaks between words, and within a word that is too long', () => {
    expect(wrapText('a red fox incomprehensible', { columns: 9, maxLines: 9 })).toEqual([
      'A RED FOX',
      'INCOMPREH',
      'ENSIBLE',
    ]);
  });

  it('ends with an ellipsis when there is more than fits', () => {
    expect(wrapText('one two three four', { columns: 5, maxLines: 2 })).toEqual(['ONE', 'TWO…']);
  });

  it('drops accents rather than letters', () => {
    expect(wrapText('Éclair à Zürich', { columns: 40, maxLines: 1 })).toEqual(['ECLAIR A ZURICH']);
  });
});
