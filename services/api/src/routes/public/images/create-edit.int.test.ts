import type { JsonObject } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { startTestApi } from '../../../../test/test-api';
import { fileOf, opaquePngOf, pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const MEBIBYTE = 1024 * 1024;

const send = (body: unknown, headers: Record<string, string> = {}) =>
  api.post('/v1/images/edits', body, { key: caller.key, headers });

type Part = string | Blob;

function formOf(parts: [name: string, value: Part][]): FormData {
  const form = new FormData();
  const base: [string, Part][] = [
    ['model', 'imagegen-2.5-flare'],
    ['prompt', 'a boat'],
  ];
  for (const [name, value] of [...base, ...parts]) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'image.bin');
  }
  return form;
}

const image = (side = 8) => fileOf(pngOf(side, side));
const withImage = (...parts: [name: string, value: Part][]): [string, Part][] => [['image', image()], ...parts];

/** No id can stand in place of a form's file: its sender has to convert it. */
const refusedAs = (type: string) =>
  `image[0]: The file is ${type}; accepted are image/png, image/jpeg, image/webp. Convert it to JPEG or PNG.`;

async function inputOf(taskId: string): Promise<JsonObject> {
  const task = await api.database.task.findUniqueOrThrow({ where: { id: taskId } });
  return task.input as JsonObject;
}

describe('POST /v1/images/edits as a form', () => {
  it('stores the files as uploads, in order, and hands their links to the same submission', async () => {
    const parts: [string, Part][] = [
      ['image[]', image(8)],
      ['mask', image(8)],
      ['image[]', image(9)],
      ['image_urls[]', 'https://example.com/third.png'],
    ];
    const { status, body } = await send(formOf(parts));
    expect(status).toBe(200);
    expect(body).toEqual({ code: 200, data: [{ status: 'submitted', task_id: expect.any(String) }] });
    const { image_urls: urls, mask_url: mask } = (await inputOf(body.data[0].task_id)) as {
      image_urls: string[];
      mask_url: string;
    };
    const files = await Promise.all([...urls.slice(0, 2), mask].map((url) => api.mediaStore.resolveOwnUrl(url)));
    expect(files.map((file) => [file?.width, file?.purpose, file?.accountId])).toEqual([
      [8, 'upload', caller.accountId],
      [9, 'upload', caller.accountId],
      [8, 'upload', caller.accountId],
    ]);
    expect(urls[2]).toBe('https://example.com/third.png');
  });

  it('converts numbers that a form can only give as text', async () => {
    const fields: [string, string][] = [
      ['n', '2'],
      ['output_format', 'webp'],
      ['output_compression', ' 80 '],
    ];
    const { status, body } = await send(formOf(withImage(...fields)));
    expect(status).toBe(200);
    expect(await inputOf(body.data[0].task_id)).toMatchObject({ n: 2, output_compression: 80 });
  });

  it('takes any number of `image` parts as well, and names what it ignores', async () => {
    const { body } = await send(
      formOf([
        ['image', image(8)],
        ['image', image(9)],
        ['user', 'u1'],
      ]),
    );
    expect((await inputOf(body.data[0].task_id))['image_urls']).toHaveLength(2);
    expect(body.data[0].warnings).toEqual([expect.stringContaining('user was ignored')]);
  });

  describe('that is refused', () => {
    let rows: Record<string, number>;
    beforeEach(async () => {
      rows = await api.countRows();
    });
    afterEach(async () => {
      expect(await api.countRows()).toEqual(rows);
    });

    it.each<[why: string, parts: [string, Part][], named: string]>([
      ['no image', [], 'image'],
      ['a file under another name', withImage(['photo', image(9)]), 'photo is not a parameter of the model; use image'],
      [
        'a try that is asked for in the form',
        withImage(['dry_run', 'true']),
        'dry_run is not a parameter of the model; use ?dry_run=true',
      ],
      ['a webhook', withImage(['webhook', 'https://example.com']), 'webhook: parameter is not supported'],
      ['a language', withImage(['language', 'en']), 'language: parameter is not supported'],
      ['n that is no number', withImage(['n', 'two']), 'n'],
      ['a field twice', withImage(['n', '1'], ['n', '2']), 'n must be given only once'],
      ['two masks', withImage(['mask', image()], ['mask', image(9)]), 'mask'],
      ['mask and mask_url', withImage(['mask', image()], ['mask_url', 'https://example.com/m.png']), 'mask'],
      ['a text where a file belongs', [['image', 'not a file']], 'image'],
      ['a file where a text belongs', withImage(['quality', image()]), 'quality must be a text field'],
      ['an empty file', [['image', fileOf(Buffer.alloc(0))]], 'image[0]:'],
      ['a file that is no image', [['image', fileOf(Buffer.from('<svg></svg>'))]], 'image[0]:'],
      ['a GIF', [['image', fileOf(Buffer.from('GIF89a\x01\x00\x01\x00'))]], refusedAs('image/gif')],
      ['an AVIF', [['image', fileOf(Buffer.from('\0\0\0\x1cftypavif\0\0\0\0'))]], refusedAs('image/avif')],
      ['a HEIC', [['image', fileOf(Buffer.from('\0\0\0\x1cftypheic\0\0\0\0'))]], refusedAs('image/heic')],
      ['a pixel bomb', [['image', fileOf(pngOf(1, 1, { width: 50_000, height: 50_000 }))]], 'image[0]:'],
      ['a mask that is no PNG', withImage(['mask', fileOf(Buffer.from('\xff\xd8\xff', 'latin1'))]), 'mask:'],
    ])('%s: 400, naming it', async (_why, parts, named) => {
      const { status, body } = await send(formOf(parts));
      expect(body.error).toMatchObject({ code: 400, type: 'invalid_request_error' });
      expect(body.error.message).toContain(named);
      expect(status).toBe(400);
    });

    it('everything that is wrong with the form and with the model’s fields is listed together, by the names of the form', async () => {
      const { status, body } = await send(
        formOf([
          ['mask', image()],
          ['mask', image(9)],
          ['n', '1'],
          ['n', '2'],
          ['quality', image()],
          ['output_compression', 'much'],
          ['webhook', 'https://example.com'],
        ]),
      );
      expect(status).toBe(400);
      expect(body.error.errors.map(({ param }: { param: string }) => param)).toEqual([
        'mask',
        'n',
        'quality',
        'image',
        'webhook',
        'output_compression',
      ]);
      expect(body.error).toMatchObject({ param: 'mask', message: body.error.errors[0].message });
    });

    it('a missing image is listed with a missing model and a wrong field of every submission', async () => {
      const { status, body } = await send({ prompt: 'a boat', language: 'en' });
      expect(status).toBe(400);
      expect(body.error.errors.map(({ param, reason }: Record<string, string>) => [param, reason])).toEqual([
        ['image', 'missing_parameter'],
        ['model', 'missing_parameter'],
        ['language', 'unsupported_parameter'],
      ]);
    });

    it('a mask without an alpha channel: 400, by the name that the form gave it', async () => {
      const { status, body } = await send(formOf(withImage(['mask', fileOf(opaquePngOf(8, 8))])));
      expect([status, body.error]).toEqual([
        400,
        expect.objectContaining({
          reason: 'bad_media',
          param: 'mask',
          message: 'mask: The image has no alpha channel; one is required.',
        }),
      ]);
    });

    it.each<[how: string, name: 'mask' | 'mask_url', mask: Part]>([
      ['as a file', 'mask', image(9)],
      ['as a data URL', 'mask_url', `data:image/png;base64,${pngOf(9, 9).toString('base64')}`],
    ])('a mask of another size than its image, %s: 400 with both sizes', async (_how, param, mask) => {
      const { status, body } = await send(formOf(withImage([param, mask])));
      const problem = 'The mask has 9x9 pixels and its image 8x8; they must have the same size.';
      expect([status, body.error]).toMatchObject([
        400,
        { reason: 'bad_media', param, message: `${param}: ${problem}` },
      ]);
    });

    it('a mask over 4 MB: 413', async () => {
      const mask = fileOf(Buffer.alloc(4 * 1024 * 1024 + 1));
      const { status, body } = await send(formOf(withImage(['mask', mask])));
      expect(status).toBe(413);
      expect(body.error).toMatchObject({ code: 413, type: 'invalid_request_error' });
    });

    it('an image over the limit of the deployment, larger or smaller: 413, and one within it is accepted', async () => {
      for (const limitMiB of [1, 21]) {
        const other = await startTestApi({ maxImageMb: limitMiB });
        try {
          const { key } = await other.createCaller();
          const png = pngOf(8, 8);
          const sendPadded = (bytes: number) => {
            const file = fileOf(Buffer.concat([png, Buffer.alloc(bytes - png.length)]));
            return other.post('/v1/images/edits', formOf([['image', file]]), { key });
          };
          expect((await sendPadded(limitMiB * MEBIBYTE)).status).toBe(200);
          const { status, body } = await sendPadded(limitMiB * MEBIBYTE + 1);
          expect([status, body.error.message]).toEqual([413, `File "image" is larger than ${limitMiB} MB.`]);
        } finally {
          await other.stop();
        }
      }
    });

    it('more than sixteen images: 400', async () => {
      const parts = Array.from({ length: 17 }, (): [string, Part] => ['image[]', image()]);
      expect((await send(formOf(parts))).status).toBe(400);
      const more = Array.from({ length: 18 }, (): [string, Part] => ['image[]', image()]);
      expect((await send(formOf(more))).status).toBe(400);
    });

    it('a missing model, once the form is read: 400', async () => {
      const form = new FormData();
      form.set('prompt', 'a boat');
      form.set('image', image(), 'a.png');
      const { status, body } = await send(form);
      expect(status).toBe(400);
      expect(body.error.message).toContain('model is required');
    });
  });
});

describe('POST /v1/images/edits as JSON', () => {
  const json = { model: 'imagegen-2.5-sunburst', prompt: 'a boat', image_urls: ['https://example.com/a.png'] };

  it('is the same submission with image_urls', async () => {
    const { status, body } = await send(json);
    expect(status).toBe(200);
    expect(await inputOf(body.data[0].task_id)).toMatchObject({ image_urls: json.image_urls });
  });
});
