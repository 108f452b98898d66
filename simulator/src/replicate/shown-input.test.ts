import { MAX_SHOWN_CHARS, shownInput } from './shown-input';

it('leaves a file out, and shows what stands beside it', () => {
  const image = `data:image/png;base64,${'A'.repeat(MAX_SHOWN_CHARS)}`;
  expect(shownInput({ image, prompt: 'a boat', seed: 4 })).toEqual({ prompt: 'a boat', seed: 4 });
});

it('is no longer for many fields than for few', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field_${index}`, 'x'.repeat(900)]));
  const shown = shownInput(many);
  expect(Object.keys(shown)).toEqual(['field_0', 'field_1']);
  expect(JSON.stringify(shown).length).toBeLessThanOrEqual(MAX_SHOWN_CHARS);
});
