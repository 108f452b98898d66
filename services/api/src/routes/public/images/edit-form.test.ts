import { createHash } from 'node:crypto';
import type { JsonObject } from '@mediagate/contracts';
import type { Form } from '../../../http/body/multipart-form';
import { editFormToBody } from './edit-form';

const SCHEMA: JsonObject = {
  properties: {
    prompt: { type: 'string' },
    n: { type: 'integer' },
    weight: { type: 'number' },
    watermark: { type: 'boolean' },
    image_urls: { type: 'array' },
    metadata: { type: 'object' },
  },
};

function formOf(fields: Record<string, string[]>, files: [field: string, content: string][] = []): Form {
  return {
    fields: new Map(Object.entries(fields)),
    files: files.map(([field, content]) => ({
      field,
      filename: 'a.png',
      bytes: Buffer.from(content),
      sha256: createHash('sha256').update(content).digest(),
    })),
    untakenFiles: [],
  };
}
const bodyOf = (form: Form) => editFormToBody(form, SCHEMA).body;

describe('editFormToBody', () => {
  it('reads numbers and booleans where the model has them, and leaves texts alone', () => {
    const fields = { prompt: ['7'], n: [' 3 '], weight: ['-0.5'], watermark: ['TRUE'], other: ['1'] };
    expect(bodyOf(formOf(fields))).toEqual({ prompt: '7', n: 3, weight: -0.5, watermark: true, other: '1' });
  });

  it.each(['two', '1e3', '0x10', '1.', 'NaN'])('passes "%s" on as it is, for the model to refuse', (text) => {
    expect(bodyOf(formOf({ n: [text] }))).toEqual({ n: text });
  });

  it('reads metadata as JSON, entry by entry, or both', () => {
    const metadata = { order: '7', customer: 'a' };
    expect(bodyOf(formOf({ metadata: ['{"order":"7"}'], 'metadata[customer]': ['a'] }))).toEqual({ metadata });
    expect(bodyOf(formOf({ 'metadata[order]': ['7'], 'metadata[customer]': ['a'] }))).toEqual({ metadata });
    expect(bodyOf(formOf({ 'metadata[__proto__]': ['x'] }))['metadata']).toEqual(JSON.parse('{"__proto__":"x"}'));
  });

  it.each(['order-7', '["order"]', '{'])('passes metadata that is no object on as it is: %s', (text) => {
    expect(bodyOf(formOf({ metadata: [text] }))).toEqual({ metadata: text });
  });

  it('takes a blank field for a missing one, and blank images for none', () => {
    const fields = { n: [''], prompt: [' \t'], weight: ['', '2'], 'image_urls[]': ['', 'https://example.com/'] };
    expect(bodyOf(formOf(fields))).toEqual({ weight: 2, image_urls: ['https://example.com/'] });
    expect(bodyOf(formOf({ image_urls: [''] }))).toEqual({});
  });

  it('makes a field of __proto__ like any other, and leaves the prototype alone', () => {
    const body = bodyOf(formOf({ ['__proto__']: ['x'], n: ['2'] }));
    expect(Object.entries(body)).toEqual([
      ['__proto__', 'x'],
      ['n', 2],
    ]);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });

  it('puts files first among the images, in their order, under names made from their content', () => {
    const files: [string, string][] = [
      ['image', 'one'],
      ['image[]', 'two'],
      ['image[2]', 'one'],
    ];
    const { body, files: attached } = editFormToBody(
      formOf({ 'image_urls[]': ['https://example.com/'] }, files),
      SCHEMA,
    );
    const urls = body['image_urls'] as string[];
    expect(urls.map((url) => attached.get(url)?.toString())).toEqual(['one', 'two', 'one', undefined]);
    expect(urls[0]).toBe(urls[2]);
    expect(urls[3]).toBe('https://example.com/');
  });

  it('makes equal bodies of equal forms, and others of other files', () => {
    const form = (content: string) => bodyOf(formOf({ prompt: ['a'] }, [['image', content]]));
    expect(form('one')).toEqual(form('one'));
    expect(form('one')).not.toEqual(form('two'));
  });

  it('keeps every field a text when the model is unknown', () => {
    expect(editFormToBody(formOf({ n: ['3'] }), undefined).body).toEqual({ n: '3' });
  });

  it('names every field that is given twice or is a file, and keeps what is right', () => {
    const fields = formOf({ n: ['1', '2'], weight: ['1', '2'], prompt: ['a boat'] });
    const { body, faults } = editFormToBody({ ...fields, untakenFiles: ['watermark', 'photo'] }, SCHEMA);
    expect(faults.map(({ param }) => param)).toEqual(['n', 'weight', 'watermark', 'photo']);
    expect(body).toMatchObject({ prompt: 'a boat' });
  });

  it('takes a field that is given several times for a list where no model says otherwise', () => {
    const { body, faults } = editFormToBody(formOf({ image_urls: ['a', 'b'] }), undefined);
    expect([body, faults]).toEqual([{ image_urls: ['a', 'b'] }, []]);
  });
});
