import { loadCatalogue } from '@mediagate/catalog';
import { inEnglish, type JsonObject } from '@mediagate/contracts';
import { readPixelsAsRatio } from './pixel-sizes';

const catalogue = loadCatalogue();

function read(model: string, size: JsonObject[string]) {
  const body: JsonObject = { model, prompt: 'a boat', size };
  const entry = catalogue.find(model);
  const warnings = readPixelsAsRatio(body, entry?.schema).map(inEnglish);
  return { size: body['size'], warnings, isTaken: entry?.parse(body).ok };
}

it.each(['imagefast-2.5-flash-image-preview', 'imagefast-3.1', 'imageseed-4.0', 'imageseed-5.0'])(
  '%s takes each size of OpenAI’s image models as a ratio, and says so',
  (model) => {
    for (const [size, ratio] of [
      ['1024x1024', '1:1'],
      ['1536x1024', '3:2'],
      ['1024x1536', '2:3'],
    ] as const) {
      const warnings = [`size was read as the ratio ${ratio}: the model does not support sizes in pixels`];
      expect(read(model, size)).toEqual({ size: ratio, warnings, isTaken: true });
    }
  },
);

it.each(['1792x1024', '0x0', '1024x', 'large', 7])(
  'what has no ratio of the model stays for it to refuse: %j',
  (size) => {
    expect(read('imageseed-4.0', size)).toEqual({ size, warnings: [], isTaken: false });
  },
);

it('leaves pixels and ratios to models that take them', () => {
  expect(read('imagegen-2', '1024x1024')).toEqual({ size: '1024x1024', warnings: [], isTaken: true });
  expect(read('imageseed-4.0', '16:9')).toEqual({ size: '16:9', warnings: [], isTaken: true });
  expect(readPixelsAsRatio({ size: '1024x1024' }, undefined)).toEqual([]);
});
