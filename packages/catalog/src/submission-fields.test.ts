import { fieldFailure, message } from '@mediagate/contracts';
import { parseSubmissionFields } from './index';

it('webhook and language are optional, and blank ones are missing', () => {
  expect(parseSubmissionFields({ model: 'a' }, 'image')).toEqual({ ok: true, warnings: [] });
  expect(parseSubmissionFields({ webhook: ' ', language: '' }, 'image')).toEqual({ ok: true, warnings: [] });
});

it('webhook must be a string, whatever it says: its URL is judged when it is called', () => {
  expect(parseSubmissionFields({ webhook: 'not a url' }, 'image')).toEqual({
    ok: true,
    webhook: 'not a url',
    warnings: [],
  });
  for (const webhook of [5, null, true, {}, ['https://example.com']]) {
    expect(parseSubmissionFields({ webhook }, 'image')).toEqual({
      ok: false,
      code: 'invalid_request',
      failures: [fieldFailure('invalid_parameter', 'webhook', 'must_be_string')],
    });
  }
});

it('a webhook of any length is kept as sent', () => {
  const webhook = `https://example.com/${'a'.repeat(10_000)}`;
  expect(parseSubmissionFields({ webhook }, 'image')).toEqual({ ok: true, webhook, warnings: [] });
});

it('language values are case-insensitive and surrounding whitespace is trimmed', () => {
  for (const language of ['en', 'zh', 'ja', 'ko', 'pt', 'ru', 'fr', 'de', 'id', 'es']) {
    expect(parseSubmissionFields({ language: ` ${language.toUpperCase()} ` }, 'image')).toEqual({
      ok: true,
      language,
      warnings: [],
    });
  }
});

it('unsupported languages, regional tags among them, do not fail the submission', () => {
  for (const language of ['zh-CN', 'it', 'english', '__proto__']) {
    const parsed = parseSubmissionFields({ language }, 'image');
    expect(parsed).toEqual({
      ok: true,
      warnings: [
        message('ignored_not_one_of', { field: 'language', values: 'en, zh, ja, ko, pt, ru, fr, de, id, es' }),
      ],
    });
  }
  expect(parseSubmissionFields({ language: 1 }, 'image')).toMatchObject({
    ok: false,
    failures: [{ param: 'language' }],
  });
});

it('a field that the route does not take is 400 "parameter is not supported"', () => {
  const unsupported = ['webhook', 'language'];
  expect(parseSubmissionFields({ webhook: 'https://example.com' }, 'image', unsupported)).toMatchObject({
    ok: false,
    failures: [fieldFailure('unsupported_parameter', 'webhook', 'unsupported_parameter')],
  });
  expect(parseSubmissionFields({ language: 7 }, 'image', unsupported)).toMatchObject({
    ok: false,
    failures: [fieldFailure('unsupported_parameter', 'language', 'unsupported_parameter')],
  });
  expect(parseSubmissionFields({ language: ' ' }, 'image', unsupported)).toMatchObject({ ok: true });
});

it('language is for images and videos; elsewhere it has no effect, whatever it is, and is named', () => {
  expect(parseSubmissionFields({ language: 'de' }, 'video')).toMatchObject({ language: 'de', warnings: [] });
  for (const family of ['music', 'imgtool'] as const) {
    for (const language of ['de', 'zh-CN', 5]) {
      expect(parseSubmissionFields({ language }, family)).toEqual({
        ok: true,
        warnings: [message('ignored_in_submission', { field: 'language' })],
      });
    }
    expect(parseSubmissionFields({ language: ' ' }, family)).toEqual({ ok: true, warnings: [] });
  }
});
