import { fieldFailure, message } from '@mediagate/contracts';
import { LANGUAGES } from '@mediagate/languages';
import { parseSubmissionFields } from './index';

const IMAGE = { family: 'image', takesAnyMetadata: false } as const;
const VIDEO = { family: 'video', takesAnyMetadata: false } as const;
const IMGTOOL = { family: 'imgtool', takesAnyMetadata: true } as const;

it('webhook and language are optional, and blank ones are missing', () => {
  expect(parseSubmissionFields({ model: 'a' }, IMAGE)).toEqual({ ok: true, warnings: [] });
  expect(parseSubmissionFields({ webhook: ' ', language: '' }, IMAGE)).toEqual({ ok: true, warnings: [] });
});

it('webhook must be a string, whatever it says: its URL is judged when it is called', () => {
  expect(parseSubmissionFields({ webhook: 'not a url' }, IMAGE)).toEqual({
    ok: true,
    webhook: 'not a url',
    warnings: [],
  });
  for (const webhook of [5, null, true, {}, ['https://example.com']]) {
    expect(parseSubmissionFields({ webhook }, IMAGE)).toEqual({
      ok: false,
      code: 'invalid_request',
      failures: [fieldFailure('invalid_parameter', 'webhook', 'must_be_string')],
    });
  }
});

it('a webhook of any length is kept as sent', () => {
  const webhook = `https://example.com/${'a'.repeat(10_000)}`;
  expect(parseSubmissionFields({ webhook }, IMAGE)).toEqual({ ok: true, webhook, warnings: [] });
});

it('language values are case-insensitive and surrounding whitespace is trimmed', () => {
  for (const language of ['en', 'zh', 'ja', 'ko', 'pt', 'ru', 'fr', 'de', 'id', 'es']) {
    expect(parseSubmissionFields({ language: ` ${language.toUpperCase()} ` }, IMAGE)).toEqual({
      ok: true,
      language,
      warnings: [],
    });
  }
});

it('unsupported languages, regional tags among them, do not fail the submission', () => {
  for (const language of ['zh-CN', 'xx', 'english', '__proto__']) {
    const parsed = parseSubmissionFields({ language }, IMAGE);
    expect(parsed).toEqual({
      ok: true,
      warnings: [message('ignored_not_one_of', { field: 'language', values: LANGUAGES.join(', ') })],
    });
  }
  expect(parseSubmissionFields({ language: 1 }, IMAGE)).toMatchObject({
    ok: false,
    failures: [{ param: 'language' }],
  });
});

it('a field that the route does not take is 400 "parameter is not supported"', () => {
  const unsupported = ['webhook', 'language'];
  expect(parseSubmissionFields({ webhook: 'https://example.com' }, IMAGE, unsupported)).toMatchObject({
    ok: false,
    failures: [fieldFailure('unsupported_parameter', 'webhook', 'unsupported_parameter')],
  });
  expect(parseSubmissionFields({ language: 7 }, IMAGE, unsupported)).toMatchObject({
    ok: false,
    failures: [fieldFailure('unsupported_parameter', 'language', 'unsupported_parameter')],
  });
  expect(parseSubmissionFields({ language: ' ' }, IMAGE, unsupported)).toMatchObject({ ok: true });
});

it('language is for images and videos; elsewhere it has no effect, whatever it is, and is named', () => {
  expect(parseSubmissionFields({ language: 'de' }, VIDEO)).toMatchObject({ language: 'de', warnings: [] });
  for (const model of [{ ...IMAGE, family: 'music' }, IMGTOOL] as const) {
    for (const language of ['de', 'zh-CN', 5]) {
      expect(parseSubmissionFields({ language }, model)).toEqual({
        ok: true,
        warnings: [message('ignored_in_submission', { field: 'language' })],
      });
    }
    expect(parseSubmissionFields({ language: ' ' }, model)).toEqual({ ok: true, warnings: [] });
  }
});

describe('metadata', () => {
  it('is at most 16 names of at most 64 characters, each with a text of at most 512, in characters and not in halves of them', () => {
    const others = Array.from({ length: 14 }, (_, index) => [`n${index}`, 'x']);
    const metadata = { order: '🗝'.repeat(512), ['🗝'.repeat(64)]: '', ...Object.fromEntries(others) };
    expect(parseSubmissionFields({ metadata }, IMAGE)).toEqual({ ok: true, metadata, warnings: [] });
  });

  it.each([
    ['order-1', 'metadata', 'must_be_object', {}],
    [['order'], 'metadata', 'must_be_object', {}],
    [
      Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`n${index}`, ''])),
      'metadata',
      'too_many_entries',
      { limit: 16 },
    ],
    [{ '': 'x' }, 'metadata', 'entry_name_length', { limit: 64 }],
    [{ ['n'.repeat(65)]: 'x' }, 'metadata', 'entry_name_length', { limit: 64 }],
    [{ order: 1 }, 'metadata.order', 'must_be_string', {}],
    [{ order: null }, 'metadata.order', 'must_be_string', {}],
    [{ order: 'x'.repeat(513) }, 'metadata.order', 'too_many_characters', { limit: 512 }],
  ])('%j is refused', (metadata, param, key, params) => {
    expect(parseSubmissionFields({ metadata }, IMAGE)).toEqual({
      ok: false,
      code: 'invalid_request',
      failures: [{ reason: 'invalid_parameter', param, message: { key, params: { field: param, ...params } } }],
    });
  });

  it('without an entry is none', () => {
    expect(parseSubmissionFields({ metadata: {} }, IMAGE)).toEqual({ ok: true, warnings: [] });
  });

  it('of the image tool may be any object: its own schema judges it', () => {
    const metadata = { order: 1, lines: ['a'] };
    expect(parseSubmissionFields({ metadata }, IMGTOOL)).toEqual({ ok: true, metadata, warnings: [] });
    expect(parseSubmissionFields({ metadata: 5 }, IMGTOOL)).toEqual({ ok: true, warnings: [] });
  });
});
